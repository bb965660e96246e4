// SPDX-License-Identifier: MIT OR Apache-2.0
// Sterbenz's average, which does not overflow: a proof, not a search that found nothing.
static double sum_halved(double x, double y)
{
    return (x + y) / 2.0;
}

static double from_left(double x, double y)
{
    return x + (y - x) / 2.0;
}

static double from_left_down(double x, double y)
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
        return sum_halved(x, y);
    if (y >= x)
        return from_left(x, y);
    return from_left_down(x, y);
}
