// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: unstable
int __clew_stable(double x, double threshold);

/* The distance of two roots is lost in the first one. */
static float inverse(float far, float near)
{
    float gap = (far + near) - far;
    float x = 1 / gap;
    __clew_stable(x, 0.001); // finds: unstable
    return x;
}

int main(void)
{
    return inverse(100000000.0f, 1.0f) > 0;
}
