// SPDX-License-Identifier: MIT OR Apache-2.0
// Exceptions behind several calls, in functions of the library, and in functions that hang, recurse, exit or write where they must not.
#include <math.h>
#include <stdlib.h>

static double inverse(double v)
{
    return 1.0 / v; // raises: divide-by-zero overflow
}

static double middle(double v)
{
    return inverse(v - 2.0);
}

double outer(double x)
{
    return x > 1.0 ? middle(x) : 0;
}

static double product_to(int n)
{
    return n <= 1 ? 1.0 : n * product_to(n - 1); // raises: overflow
}

double factorial(int n)
{
    return n < 0 ? 0 : product_to(n);
}

typedef struct {
    double val, err;
} result;

int with_status(double x, result *r)
{
    r->val = 1.0 / x; // raises: divide-by-zero overflow
    r->err = r->val * 1e-16;
    return 0;
}

double hangs(double x)
{
    while (x > 5.0) {
    }
    return 1.0 / x; // raises: divide-by-zero overflow
}

double recurses(double x)
{
    if (x > 5.0)
        return recurses(x + 1.0);
    return 1.0 / x; // raises: divide-by-zero overflow
}

double corrupts(double x, double *p)
{
    double r = 1.0 / x; // raises: divide-by-zero overflow
    p[1 << 20] = r;
    return r;
}

double exits(double x)
{
    if (x < 0)
        exit(3);
    return log(x); // raises: divide-by-zero
}

double norm(const double *v, int n)
{
    double s = 0;
    if (n < 0 || n > 3)
        n = 3;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i]; // raises: overflow
    return sqrt(s);
}

float narrowed(double x)
{
    return (float)x; // raises: overflow
}

double hypotenuse(double x, double y)
{
    return hypot(x, y); // raises: overflow
}

double remainder_of(double x, double y)
{
    return fmod(x, y); // raises: invalid
}

double inverse_tangent(double x)
{
    return atanh(x); // raises: divide-by-zero invalid
}
