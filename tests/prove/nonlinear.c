// SPDX-License-Identifier: MIT OR Apache-2.0
// Guards that are not linear, inputs that must be looked at piece by piece, recursion that counts down.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int input(void);
float real(void);

int square_by_root(void)
{
    int x = input();
    if (x > INT_MIN && abs(x) < (long)sqrt((double)INT_MAX)) {
        return x * x; // proved: signed-overflow
    }
    return 0;
}

int square_by_more_than_root(void)
{
    long x = input();
    if (labs(x) <= (long)sqrt((double)INT_MAX) + 1) {
        return (int)x * (int)x; // open: signed-overflow
    }
    return 0;
}

int inverse(void)
{
    float x = real();
    if (fabs(x) > 0.000001) {
        return (int)(100.0f / x); // proved: float-division-by-zero float-to-int
    }
    return 0;
}

int inverse_of_too_little(void)
{
    float x = real();
    if (fabs(x) > 1e-40) {
        return (int)(100.0f / x); // open: float-to-int float-overflow
    }
    return 0;
}

int identities(void)
{
    float x = real();
    double wide = x;
    int r = 0;
    if (x == x) {
        r += 1 / (x + 0 == x);          // proved: division-by-zero
        r += 1 / (1 * x == x);          // proved: division-by-zero
        r += 1 / ((float)wide == x);    // proved: division-by-zero
        r += 1 / (x + 1e-3f == x);      // open: division-by-zero
    }
    r += 1 / (x - 0 == x); // open: division-by-zero
    return r;
}

// A step of Newton's method for the sine is nearer to zero than where it began.
static float sine(float x)
{
    return x - (x * x * x) / 6.0f + (x * x * x * x * x) / 120.0f;
}

static float cosine(float x)
{
    return 1 - (x * x) / 2.0f + (x * x * x * x) / 24.0f;
}

int newton(void)
{
    float x = real();
    if (x > -0.4f && x < 0.4f) {
        float y = x - sine(x) / cosine(x);
        return 1 / (y < 0.1f && y > -0.1f); // proved: division-by-zero
    }
    return 0;
}

int newton_too_far(void)
{
    float x = real();
    if (x > -1.3f && x < 1.3f) {
        float y = x - sine(x) / cosine(x);
        return 1 / (y < 0.1f && y > -0.1f); // open: division-by-zero
    }
    return 0;
}

// Where the loop is left says which interval the input is in.
int interpolated(void)
{
    static const float low[] = {5, 10, 12, 30}, high[] = {10, 12, 30, 150};
    float t = real();
    int i;
    if (!(t >= 5 && t <= 150)) {
        return 0;
    }
    for (i = 0; i < 4; i++) {
        if (t <= high[i]) {
            break;
        }
    }
    float z = (t - low[i]) / (high[i] - low[i]); // proved: out-of-bounds
    return 1 / (z >= 0 && z <= 1);               // proved: division-by-zero
}

static int fibonacci(int n)
{
    if (n < 2) {
        return n < 1 ? 0 : 1;
    }
    return fibonacci(n - 1) + fibonacci(n - 2); // proved: signed-overflow
}

static int fibonacci_too_far(int n)
{
    if (n < 2) {
        return n < 1 ? 0 : 1;
    }
    int a = fibonacci_too_far(n - 1), b = fibonacci_too_far(n - 2);
    return a + b; // open: signed-overflow
}

int counted_down(void)
{
    int n = input();
    return n <= 46 ? fibonacci(n) : 0;
}

int counted_down_too_far(void)
{
    int n = input();
    return n <= 47 ? fibonacci_too_far(n) : 0;
}

// Adding nothing, multiplying by one and changing the sign twice leave a number as it is.
int unchanged(void)
{
    double x = real();
    if (isnan(x))
        return 1 / (x == x); // open: division-by-zero
    int same = 1 / (0.0 + 0.0 + x == x) + 1 / (x * 1 == x) + 1 / (-(-x) == x); // proved: division-by-zero
    int negated = 1 / (0 - x == -x) + 1 / (x / -1 == -x); // proved: division-by-zero
    return same + negated + 1 / (-x == x); // open: division-by-zero
}

int infinite(void)
{
    double x = real();
    if (isinf(x))
        return 0 * x == 0; // open: float-invalid
    return isnan(x) || 0 * x == 0; // proved: float-invalid
}
