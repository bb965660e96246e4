// An 8-point integer DCT of the kind that image codecs have (Loeffler, Ligtenberg and Moschytz): constants of 13 bits, one
// rounding shift for each result. One line says what the integers stand for.
/* clew-fixed: fixed in=q0 fixed out=q0 range in=-256..255 */
// flags: --function dct
// error out[]: 0.4999..0.5001
// reached out[]: 0.4..0.5001
// status: 0
#include <stdint.h>

#define CONSTANT(x) ((int32_t)((x) * 8192 + 0.5))
#define DESCALE(x, n) (((x) + (1 << ((n) - 1))) >> (n))

int16_t in[8], out[8];

void dct(void) {
    int32_t t0 = in[0] + in[7], t7 = in[0] - in[7];
    int32_t t1 = in[1] + in[6], t6 = in[1] - in[6];
    int32_t t2 = in[2] + in[5], t5 = in[2] - in[5];
    int32_t t3 = in[3] + in[4], t4 = in[3] - in[4];
    int32_t even = t0 + t3, lower = t0 - t3, odd = t1 + t2, upper = t1 - t2;
    out[0] = (int16_t)((even + odd) << 2);
    out[4] = (int16_t)((even - odd) << 2);
    int32_t z1 = (upper + lower) * CONSTANT(0.541196100);
    out[2] = (int16_t)DESCALE(z1 + lower * CONSTANT(0.765366865), 11);
    out[6] = (int16_t)DESCALE(z1 - upper * CONSTANT(1.847759065), 11);
    z1 = t4 + t7;
    int32_t z2 = t5 + t6, z3 = t4 + t6, z4 = t5 + t7;
    int32_t z5 = (z3 + z4) * CONSTANT(1.175875602);
    t4 *= CONSTANT(0.298631336);
    t5 *= CONSTANT(2.053119869);
    t6 *= CONSTANT(3.072711026);
    t7 *= CONSTANT(1.501321110);
    z1 *= -CONSTANT(0.899976223);
    z2 *= -CONSTANT(2.562915447);
    z3 = z3 * -CONSTANT(1.961570560) + z5;
    z4 = z4 * -CONSTANT(0.390180644) + z5;
    out[7] = (int16_t)DESCALE(t4 + z1 + z3, 11);
    out[5] = (int16_t)DESCALE(t5 + z2 + z4, 11);
    out[3] = (int16_t)DESCALE(t6 + z2 + z3, 11);
    out[1] = (int16_t)DESCALE(t7 + z1 + z4, 11);
}
