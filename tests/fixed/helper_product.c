// A product from halves of 16 bits, rounded by the bit that is dropped: half a unit off at most.
/* clew-fixed: fixed a=q(16,16) fixed b=q(16,16) fixed return=q(16,16) range a=-10..10 range b=-10..10 */
// flags: --function product
// error return: 0.0000076..0.0000077
// reached return: 0.0000075..0.0000077
// status: 0
#include <stdint.h>

int32_t product(int32_t a, int32_t b) {
    int64_t whole = (int64_t)a * b;
    int32_t result = (int32_t)(whole >> 16);
    result += (whole & 0x8000) >> 15;
    return result;
}
