// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 1
// stop-on: unstable
int __clew_stable(double x, double threshold);

/* A double has room for both. */
static float inverse(float far, float near)
{
    double gap = ((double)far + near) - far;
    float x = 1 / gap;
    __clew_stable(x, 0.001);
    return x;
}

int main(void)
{
    return inverse(100000000.0f, 1.0f) > 0;
}
