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

double average(double x, double y)
{
    int same = (x >= 0) == (y >= 0);
    if (!same)
        return sum_halved(x, y);
    return y >= x ? from_left(x, y) : from_left(y, x);
}
