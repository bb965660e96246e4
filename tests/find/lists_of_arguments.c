// SPDX-License-Identifier: MIT OR Apache-2.0
// Unnamed arguments are there, have the type that is asked for, and their list was started.
#include <stdarg.h>

int nondet_int(void);

static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        total ^= va_arg(list, int); // violated: bad-argument
    va_end(list);
    return total;
}

static double first(int n, ...)
{
    va_list list;
    va_start(list, n);
    double value = va_arg(list, double); // violated: bad-argument
    va_end(list);
    return value;
}

static long both(int n, ...)
{
    va_list list;
    va_start(list, n);
    long value = va_arg(list, long); // proved: bad-argument
    const char *text = va_arg(list, const char *); // proved: bad-argument
    va_end(list);
    return value + text[0];
}

static int unstarted(int n, ...)
{
    va_list list;
    return va_arg(list, int); // violated: bad-argument
}

int main(void)
{
    switch (nondet_int()) {
    case 1:
        return sum(3, 1, 2);
    case 2:
        return first(1, 2) > 1;
    case 3:
        return unstarted(1, 2);
    }
    return both(2, 3L, "abc") > 7;
}
