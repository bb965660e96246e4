// SPDX-License-Identifier: MIT OR Apache-2.0
// NaNs that signal: functions that let a quiet one pass make a NaN of them. And what comes of a NaN is no float-invalid.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);

static double one = 1, zero, ten = 10, infinite = INFINITY;

static void signalling(double x, float f, int which)
{
    switch (which) {
    case 0: assert(fmin(x, ten) <= 10); break;      // violated: assertion
    case 1: assert(fmax(x, ten) >= 10); break;      // violated: assertion
    case 2: assert(pow(x, zero) == 1); break;       // violated: assertion
    case 3: assert(pow(one, x) == 1); break;        // violated: assertion
    case 4: assert(hypot(infinite, x) == infinite); break; // violated: assertion
    case 5: assert(fmaxf(f, 1) >= 1); break;        // violated: assertion
    case 6: assert(!issignaling(x)); break;         // violated: assertion
    }
}

// Every function but those that move bits makes a quiet NaN.
static void quiet(double x, int which)
{
    switch (which) {
    case 10: assert(fmin(x + 0, ten) <= 10); break;
    case 11: assert(fmax(floor(x), ten) >= 10); break;
    case 12: assert(!issignaling(sqrt(fabs(x)))); break;
    case 13: assert(!signbit(fabs(x))); break;
    case 14: assert(!signbit(fdim(x, one))); break;
    }
}

static double of_a_nan(double x)
{
    if (x == x)
        return 0;
    double y = floor(x) + sin(x) * 2 + fmin(x, 3) / sqrt(x) - cosh(x);
    return y + x + 1 + (float)x + (double)lrint(x) + fmod(x, 2) + pow(2, x);
}

int main(void)
{
    double x = __VERIFIER_nondet_double();
    float f = __VERIFIER_nondet_float();
    int which = __VERIFIER_nondet_int();

    signalling(x, f, which);
    quiet(x, which);
    of_a_nan(x);
    return 0;
}
