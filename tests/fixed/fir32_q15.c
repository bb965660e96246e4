// A 32-tap filter whose sum starts with the constant that makes the last shift round, through a parameter and a pointer.
/* clew-fixed: fixed x=q15 fixed h=q15 fixed return=q15 range x[32]=-0.5..0.5 */
// flags: --function filter
// error return: 0.0000152..0.0000153
// reached return: 0.0000150..0.0000153
// status: 0
#include <stdint.h>

static const int16_t h[32] = {-12,  30,   -50,  100,  -180, 250,   -400, 520,  -700, 900,  -1200,
                              1800, -2600, 4000, 8000, 9000, 9000,  8000, 4000, -2600, 1800, -1200,
                              900,  -700, 520,  -400, 250,  -180,  100,  -50,  30,   -12};

static int32_t accumulate(int32_t sum, const int16_t *x) {
    for (int i = 0; i < 32; i++)
        sum += (int32_t)x[i] * h[i];
    return sum;
}

int16_t filter(const int16_t *x) {
    int32_t sum = accumulate(1 << 14, x);
    return (int16_t)(sum >> 15);
}
