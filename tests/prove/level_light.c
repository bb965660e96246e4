// SPDX-License-Identifier: MIT OR Apache-2.0
// flags: --level 1
// Integers are related, floats are not: no octagon, no filter.

float input(void);
int choice(void);

int below(int n)
{
    int i = choice();
    if (n < 0 || n > 8 || i < 0 || i >= n) {
        return 0;
    }
    return 1 / (n - i); // proved: division-by-zero
}

static float between(float low, float high)
{
    float x = input();
    while (!(x >= low && x <= high)) {
        x = input();
    }
    return x;
}

int limited(void)
{
    float x = between(-1000.0f, 1000.0f), z = between(-1000.0f, 1000.0f), v = between(-16.0f, 16.0f);
    float r = x - z;
    float l = x;
    if (r > v) {
        l = z + v;
    }
    return 1 / (l <= x + 0.01f); // open: division-by-zero
}
