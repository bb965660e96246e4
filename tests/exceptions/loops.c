// SPDX-License-Identifier: MIT OR Apache-2.0
// Exceptions behind loops, bounded and convergent ones.
#include <math.h>

double eighth_power(double x)
{
    double p = 1;
    for (int i = 0; i < 8; i++)
        p *= x; // raises: overflow
    return p;
}

double newton(double a)
{
    double y = a;
    if (a <= 0)
        return 0;
    for (int i = 0; i < 60; i++)
        y = 0.5 * (y + a / y);
    return y;
}

double sum(const double *a)
{
    double s = 0;
    for (int i = 0; i < 4; i++)
        s += a[i]; // raises: overflow
    return s;
}

double harmonic(int n)
{
    double s = 0;
    if (n < -1000 || n > 1000)
        return 0;
    for (int k = n; k < n + 5; k++)
        s += 1.0 / k; // raises: divide-by-zero
    return s;
}

double halvings(double x)
{
    double n = 0;
    for (double d = x; d > 1.0; d /= 2.0)
        n++;
    return 1.0 / (n - 3); // raises: divide-by-zero
}

double square_of(int m, double x)
{
    for (int i = 0; i < 100; i++)
        if (i * i == m)
            return x / (i - 7); // raises: divide-by-zero invalid
    return 0;
}

double tenths(double x)
{
    double t = 0;
    for (int i = 0; i < 10; i++)
        t += 0.1;
    return x / (t - 1.0); // raises: overflow
}

double series(double x)
{
    double term = 1, sum = 1, k = 1;
    do {
        term *= x / k, sum += term; // raises: overflow
        k++;
    } while (fabs(term) > 1e-16 * fabs(sum) && k < 200);
    return sum;
}
