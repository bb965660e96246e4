// SPDX-License-Identifier: MIT OR Apache-2.0
// Unnamed arguments: what is read as another type, or is not there, may be anything, and so may all behind it.
#include <stdarg.h>

static int right(int n, ...)
{
    va_list list;
    va_start(list, n);
    long first = va_arg(list, long);
    double second = va_arg(list, double);
    int third = va_arg(list, int);
    va_end(list);
    int rest = (int)second; // proved: float-to-int
    return 10 / (first + third + rest); // proved: division-by-zero
}

static int of_another_type(int n, ...)
{
    va_list list;
    va_start(list, n);
    double d = va_arg(list, double);
    va_end(list);
    return (int)d; // open: float-to-int
}

static int behind_another_type(int n, ...)
{
    va_list list;
    va_start(list, n);
    double d = va_arg(list, double);
    double e = va_arg(list, double);
    va_end(list);
    return d < 0 ? 0 : (int)e; // open: float-to-int
}

static int wider(int n, ...)
{
    va_list list;
    va_start(list, n);
    long x = va_arg(list, long);
    va_end(list);
    return (int)(10 / (x + 5 - 4294967296)); // open: division-by-zero
}

static int behind_a_long_double(int n, ...)
{
    va_list list;
    va_start(list, n);
    long double d = va_arg(list, long double);
    int x = va_arg(list, int);
    va_end(list);
    return d > 0 ? 10 / (x - 5) : 10 / x; // open: division-by-zero
}

static int too_many(int n, ...)
{
    va_list list;
    va_start(list, n);
    int x = va_arg(list, int);
    if (n == 2)
        x = va_arg(list, int);
    va_end(list);
    return 10 / (x - 3); // open: division-by-zero
}

int input(void);

int main(void)
{
    return right(3, 5L, 2.0, 7) + of_another_type(2, 5, 1e300) + behind_another_type(3, 5, 1.0, 1e300) + wider(1, -5)
        + behind_a_long_double(2, 1.0L, 5, 7) + too_many(1 + (input() == 7), 5);
}
