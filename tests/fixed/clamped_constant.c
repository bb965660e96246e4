// A number that was clamped to a constant is a number still: its quotient is cut, its sum has to fit.
/* clew-fixed: fixed x=q4 range x=100..200 */
// flags: --function part
// error third: 0.333..0.334
// reached third: 0.333..0.334
// status: 1
#include <stdint.h>

static int32_t clamp(int32_t a) {
    return a > 1000 ? 1000 : a;
}

int32_t part(int32_t x) {
    int32_t third = clamp(x) / 3;
    int32_t wide = clamp(x) * 3000000; // overflow: confirmed
    return third + (wide >> 30);
}
