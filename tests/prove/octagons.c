// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums and differences of floats, which ranges of single variables do not know, and tests undone through float
// operations. Each check divides by zero if the claim is wrong.

float input(void);
int choice(void);

static float rated;
static float wanted;

static float between(float low, float high)
{
    float x = input();
    while (!(x >= low && x <= high)) {
        x = input();
    }
    return x;
}

// Paper 004, 6.2.2.
int limited(void)
{
    float x = between(-1000.0f, 1000.0f), z = between(-1000.0f, 1000.0f), v = between(-16.0f, 16.0f);
    float r = x - z;
    float l = x;
    if (r > v) {
        l = z + v;
    }
    int above = 1 / (l <= x + 0.01f);  // proved: division-by-zero
    int below = 1 / (l >= x - 0.01f);  // open: division-by-zero
    return above + below;
}

int difference_of_limited(void)
{
    float z = between(-1000.0f, 1000.0f), v = between(-16.0f, 16.0f);
    float l = z + v;
    int more = 1 / (l - z <= 16.001f);  // proved: division-by-zero
    int less = 1 / (l - z <= 15.9f);    // open: division-by-zero
    return more + less;
}

// A rate limiter: the output stays where the input is.
int rate_limiter(void)
{
    float y = 0.0f;
    while (choice()) {
        float x = between(-128.0f, 128.0f), d = between(0.0f, 16.0f);
        float s = y;
        float r = x - s;
        y = x;
        if (r <= -d) {
            y = s - d;
        }
        if (r >= d) {
            y = s + d;
        }
        int held = 1 / (y >= -128.1f && y <= 128.1f); // proved: division-by-zero
    }
    return 0;
}

// Without the second test it does not.
int rate_limiter_one_sided(void)
{
    float y = 0.0f;
    while (choice()) {
        float x = between(-128.0f, 128.0f), d = between(0.0f, 16.0f);
        float s = y;
        float r = x - s;
        y = x;
        if (r <= d) {
            y = s - d;
        }
        int held = 1 / (y >= -128.1f && y <= 128.1f); // open: division-by-zero
    }
    return 0;
}

// The same with a state in memory that is loaded anew each time.
void limit_globals(void)
{
    rated = 0.0f;
    while (choice()) {
        wanted = between(-100.0f, 100.0f);
        float r = wanted - rated;
        float s = wanted;
        if (r > 4.0f) {
            s = rated + 4.0f;
        } else if (r < -4.0f) {
            s = rated - 4.0f;
        }
        rated = s;
        int held = 1 / (rated >= -100.1f && rated <= 100.1f); // proved: division-by-zero
    }
}

// What stands in memory was changed between the two loads.
void limit_changed_globals(void)
{
    rated = 0.0f;
    while (choice()) {
        wanted = between(-100.0f, 100.0f);
        float r = wanted - rated;
        rated = rated + 1.0f;
        rated = r > 4.0f ? rated + 4.0f : r < -4.0f ? rated - 4.0f : wanted;
        int held = 1 / (rated >= -100.1f && rated <= 100.1f); // open: division-by-zero
    }
}

int order_is_kept(void)
{
    float a = between(0.0f, 100.0f), b = between(0.0f, 100.0f), c = between(0.0f, 100.0f);
    int r = 0;
    if (a <= b && b <= c) {
        r += 1 / (a <= c);         // proved: division-by-zero
        r += 1 / (a - c <= 0.0f);  // proved: division-by-zero
        r += 1 / (a < c);          // open: division-by-zero
    }
    if (a + b <= 10.0f) {
        b = b + 1.0f;
        r += 1 / (a + b <= 11.001f); // proved: division-by-zero
        r += 1 / (a + b <= 10.9f);   // open: division-by-zero
    }
    return r;
}

int one_way_only(void)
{
    float a = between(0.0f, 100.0f), b = between(0.0f, 100.0f);
    float c = a;
    if (choice()) {
        c = b;
    }
    return 1 / (c == a); // open: division-by-zero
}

// NaN: what is not less need not be more.
int not_a_number(void)
{
    float a = input(), b = between(0.0f, 1.0f);
    int r = 0;
    if (!(a < b)) {
        r = 1 / (a >= 0.0f); // open: division-by-zero
    }
    if (a > b) {
        r += 1 / (a > 0.0f || a == b); // proved: division-by-zero
    }
    return r;
}

// Rounding: the sum of two floats is not their real sum.
int rounding(void)
{
    float a = between(1.0f, 2.0f), b = between(0.0f, 1.0e-9f);
    float s = a + b;
    int r = 1 / (s >= a - 0.001f); // proved: division-by-zero
    r += 1 / (s - a >= b);         // open: division-by-zero
    return r;
}

// Tests undone through operations.
int undone(void)
{
    float x = input();
    int r = 0;
    if (x * x < 100.0f) {
        r += 1 / (x < 10.01f && x > -10.01f); // proved: division-by-zero
        r += 1 / (x < 9.9f);                  // open: division-by-zero
    }
    if (x / 2.0f + 1.0f <= 3.0f && x - 1.0f >= 0.0f) {
        r += 1 / (x <= 4.001f && x >= 0.999f); // proved: division-by-zero
        r += 1 / (x >= 1.001f);                // open: division-by-zero
    }
    int n = choice();
    if ((double)n < 10.5 && (double)n > -2.5) {
        r += 1 / (n <= 10 && n >= -2); // proved: division-by-zero
        r += 1 / (n <= 9);             // open: division-by-zero
    }
    return r;
}
