// SPDX-License-Identifier: MIT OR Apache-2.0
// Sterbenz's average: each formula alone overflows somewhere, the right choice among them never does, which clew proves.
//
//     clew check --check float-overflow --entry average examples/float_average.c
//
// shows: 8 proved
static double by_sum(double x, double y)
{
    return (x + y) / 2.0;
}

static double by_difference(double x, double y)
{
    return x + (y - x) / 2.0;
}

static double by_difference_down(double x, double y)
{
    return y + (x - y) / 2.0;
}

double average(double x, double y)
{
    int same_sign;
    if (x >= 0)
        same_sign = y >= 0 ? 1 : 0;
    else
        same_sign = y >= 0 ? 0 : 1;
    if (!same_sign)
        return by_sum(x, y);
    if (y >= x)
        return by_difference(x, y);
    return by_difference_down(x, y);
}
