// A saturating sum that looks at sign bits of wrapped integers: understood by what it computes.
/* clew-fixed: fixed a=q(16,16) fixed b=q(16,16) fixed return=q(16,16) range a=-30000..30000 range b=-30000..30000 */
// flags: --function mixed
// error return: 0..0
// reached return: 0..0
// status: 0
#include <stdint.h>

static int32_t saturated(int32_t a, int32_t b) {
    uint32_t x = a, y = b, sum = x + y;
    if (!((x ^ y) & 0x80000000u) && ((x ^ sum) & 0x80000000u))
        return a >= 0 ? INT32_MAX : INT32_MIN;
    return (int32_t)sum;
}

int32_t mixed(int32_t a, int32_t b) {
    return saturated(a, b);
}
