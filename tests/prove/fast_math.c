// SPDX-License-Identifier: MIT OR Apache-2.0
// An attribute may ask for arithmetic that takes no account of NaNs.
#include <math.h>

double input(void);

__attribute__((optimize("fast-math"))) static int whole(double x)
{
    if (isnan(x) || x > 1e6 || x < -1e6)
        return 0;
    return (int)x; // undecided: float-to-int
}

int main(void)
{
    return whole(input());
}
