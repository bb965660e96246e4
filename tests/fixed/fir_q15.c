// A Q15 FIR filter as DSP code has it: a 32-bit sum of products, a rounding shift, saturation.
/* clew-fixed: fixed x=q15 fixed h=q15 fixed return=q15 range x=-1..0.99996 */
// flags: --function fir
// error return: 0.0000152..0.0000458
// reached return: 0.0000150..0.0000458
// status: 0
#include <stdint.h>

static const int16_t h[8] = {-512, 1024, 4096, 9000, 9000, 4096, 1024, -512};
int16_t x[8];

static int16_t saturate(int32_t v) {
    if (v > 32767)
        return 32767;
    if (v < -32768)
        return -32768;
    return (int16_t)v;
}

int16_t fir(void) {
    int32_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (int32_t)x[i] * h[7 - i];
    return saturate((sum + (1 << 14)) >> 15);
}
