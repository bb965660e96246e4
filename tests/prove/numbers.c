// SPDX-License-Identifier: MIT OR Apache-2.0
// What tests say about numbers: not zero, a magnitude, a choice.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static int not_zero(int x) {
    int before = 100 / x; // open: division-by-zero
    if (x != 0)
        return 100 / x; // proved: division-by-zero
    return before;
}

static int not_one(int x) {
    if (x != 1)
        return 100 / x; // open: division-by-zero
    return 100 % x; // proved: division-by-zero
}

static unsigned through_conversions(int x, int y) {
    if (x == 0 || y == 0)
        return 0;
    unsigned u = (unsigned)x;
    long product = (long)x * y;
    unsigned char low = (unsigned char)x;
    if (product % 3 == 0)
        return 100u / low; // open: division-by-zero
    return 100u / u + (unsigned)(100 / product); // proved: division-by-zero
}

static int far_from_zero(float x) {
    if (fabs(x) > 0.000001)
        return 1.0 / x > 5; // proved: float-division-by-zero
    return 1.0 / x > 5; // open: float-division-by-zero
}

static int small(int x) {
    if (x > INT_MIN && abs(x) < 46340)
        return x * x; // proved: signed-overflow
    if (x > INT_MIN && abs(x) < 46342)
        return x * x; // open: signed-overflow
    return 0;
}

int main(void) {
    int x = rand() - rand(), y = rand() - rand();
    return not_zero(x) + not_one(x) + (int)through_conversions(x, y) + far_from_zero((float)x / 7) + small(x);
}
