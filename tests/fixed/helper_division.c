// Division by shifts: the quotient is proved to be within a unit of the real one.
/* clew-fixed: fixed a=q8 fixed b=q8 fixed return=q8 range a=0..100 range b=1..10 */
// flags: --function divided
// error return: 0.0038..0.0040
// reached return: 0.0035..0.0040
// status: 0
#include <stdint.h>

int32_t divided(int32_t a, int32_t b) {
    uint32_t remainder = (uint32_t)a << 8, divisor = (uint32_t)b << 16, bit = 1u << 16, quotient = 0;
    while (bit) {
        if (remainder >= divisor) {
            remainder -= divisor;
            quotient |= bit;
        }
        divisor >>= 1;
        bit >>= 1;
    }
    return (int32_t)quotient;
}
