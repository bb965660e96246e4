// SPDX-License-Identifier: MIT OR Apache-2.0
// Float work in registers: a logistic map and a small n-body step in one dimension.
#include <stdio.h>

int main(void)
{
    double x = 0.31, sum = 0.0;
    double a = 0.0, b = 1.0, va = 0.2, vb = -0.1;
    for (int i = 0; i < 10000000; i++) {
        x = 3.75 * x * (1.0 - x);
        sum += x;
        double d = b - a;
        double f = d / (d * d + 0.01);
        va += f * 0.001;
        vb -= f * 0.001;
        a += va * 0.001;
        b += vb * 0.001;
    }
    printf("%.17g %.17g %.17g\n", sum, a, b);
    return 0;
}
