// Low bits: `y & ~255` drops digits, `x & 255` and `y % 512` are remainders, of the reals as well.
/* clew-fixed: fixed x=q8 fixed y=q8 fixed whole=q8 fixed phase=q8 fixed z=q8 fixed return=q8 range x=-4..4 */
// flags: --function parts
// error whole: 0.99..1.0
// reached whole: 0.99..1.0
// error phase: 0..0
// error z: 0.0038..0.004
// status: 0
#include <stdint.h>

int32_t parts(int32_t x) {
    int32_t y = (x * 77) >> 8;
    int32_t whole = y & ~255;
    int32_t phase = x & 255;
    int32_t z = y % 512;
    return whole + phase + (z >> 3);
}
