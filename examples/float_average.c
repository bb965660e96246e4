// SPDX-License-Identifier: MIT OR Apache-2.0
// clew check --check float-overflow --entry average examples/float_average.c
// Sterbenz's average: each formula alone overflows somewhere, the right choice among them never does, which clew proves.
static double by_sum(double x, double y)
{
    return (x + y) / 2.0;
}

static double by_difference(double x, double y)
{
    return x + (y - x) / 2.0;
}

double average(double x, double y)
{
    int same_sign = (x >= 0) == (y >= 0);
    if (!same_sign)
        return by_sum(x, y);
    return y >= x ? by_difference(x, y) : by_difference(y, x);
}
