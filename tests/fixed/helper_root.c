// A square root bit by bit: proved to be within a unit of the real one.
/* clew-fixed: fixed x=q8 fixed return=q8 range x=0..100 */
// flags: --function root
// error return: 0.0038..0.0040
// reached return: 0.0035..0.0040
// status: 0
#include <stdint.h>

int32_t root(int32_t x) {
    uint32_t rest = (uint32_t)x << 8, result = 0, bit = 1u << 22;
    while (bit) {
        if (rest >= result + bit) {
            rest -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
        bit >>= 2;
    }
    return (int32_t)result;
}
