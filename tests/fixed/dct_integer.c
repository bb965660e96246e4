// A row of an integer DCT: 8-bit samples, constants of 13 bits, one rounding shift at the end (a four-point part of it).
/* clew-fixed: fixed in=q0 fixed out=q2 range in=-128..127 */
// flags: --function dct
// error out[]: 0.12..0.376
// reached out[]: 0.12..0.376
// status: 0
#include <stdint.h>

int32_t in[4], out[4];

void dct(void) {
    int32_t a = in[0] + in[3], b = in[1] + in[2];
    int32_t c = in[0] - in[3], d = in[1] - in[2];
    out[0] = ((a + b) * 5793 + (1 << 10)) >> 11;
    out[2] = ((a - b) * 5793 + (1 << 10)) >> 11;
    out[1] = (c * 7568 + d * 3135 + (1 << 10)) >> 11;
    out[3] = (c * 3135 - d * 7568 + (1 << 10)) >> 11;
}
