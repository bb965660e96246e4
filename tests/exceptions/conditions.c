// SPDX-License-Identifier: MIT OR Apache-2.0
// Exceptions behind equalities and narrow conditions. A line says what it raises, on finite inputs; the others raise nothing but tiny results.
#include <math.h>

double behind_equality(double x)
{
    if (x == 1234.5)
        return 1.0 / (x - 1234.5); // raises: divide-by-zero
    return 0;
}

double behind_inequality(double x, double y)
{
    if (x != y)
        return 1.0 / (x - y); // raises: overflow
    return 0;
}

double three_numbers(double x)
{
    if (x > 3.0 && x < 3.0000000000000018) {
        double d = x - 3.0000000000000009;
        return 1.0 / d; // raises: divide-by-zero
    }
    return 0;
}

double behind_integer(int n, double x)
{
    if (n == 4711)
        return x * 1e300; // raises: overflow
    return 0;
}

double behind_product(double x, double y)
{
    double product = x * y; // raises: overflow
    if (product == 6.0 && x == 2.0)
        return 1.0 / (y - 3.0); // raises: divide-by-zero
    return 0;
}

double behind_switch(int n, double x)
{
    switch (n) {
    case 1000003:
        return log(x); // raises: divide-by-zero invalid
    default:
        return 0;
    }
}

double guarded_root(double x)
{
    if (x >= 0)
        return sqrt(x);
    return 0;
}

double overflow_hides_invalid(double x)
{
    double square = x * x; // raises: overflow
    double none = square - square; // raises: invalid
    return sqrt(none);
}

int to_integer(double x)
{
    return (int)x; // raises: invalid
}

int to_integer_guarded(double x)
{
    if (x > -2147483649.0 && x < 2147483648.0)
        return (int)x;
    return 0;
}

double clamped(double x)
{
    if (x < 1)
        x = 1;
    if (x > 2)
        x = 2;
    return 1.0 / (x - 3.0);
}

double exponential_below(double x)
{
    if (x < 709)
        return exp(x);
    return 0;
}

double exponential_narrow(double x)
{
    if (x > 709.7 && x < 709.8)
        return exp(x); // raises: overflow
    return 0;
}

double power(double x)
{
    return pow(x, -1.0); // raises: divide-by-zero overflow
}

double smallest(double x)
{
    if (x == 0x1p-1074)
        return 1.0 / x; // raises: overflow
    return 0;
}
