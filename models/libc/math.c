/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * <math.h>: what is exact is computed; the rest is some value within the bounds that C and glibc promise.
 * Domain and pole errors are requirements of the float checks (Continue: the analysis goes on with the machine's value).
 */
#include "clew.h"

#define INFINITY __builtin_inf()
#define NAN __builtin_nan("")

/* From here on every double is an integer. */
static const double integral = 4503599627370496.0;

double fabs(double x)
{
    return __builtin_fabs(x);
}

float fabsf(float x)
{
    return __builtin_fabsf(x);
}

double copysign(double x, double y)
{
    double magnitude = __builtin_fabs(x);
    return __builtin_signbit(y) ? -magnitude : magnitude;
}

double trunc(double x)
{
    /* False for NaN, too. */
    if (!(__builtin_fabs(x) < integral))
        return x;
    return copysign((double)(long long)x, x);
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    return whole < x ? copysign(whole + 1, x) : whole;
}

/* Halfway cases go away from zero. */
double round(double x)
{
    double whole = trunc(x);
    double rest = __builtin_fabs(x - whole);
    if (!(rest >= 0.5))
        return whole;
    return copysign(__builtin_fabs(whole) + 1, x);
}

/* Halfway cases go to the even neighbour, in the usual rounding mode. */
double rint(double x)
{
    double magnitude = __builtin_fabs(x);
    if (!(magnitude < integral))
        return x;
    /* Adding and removing 2^52 leaves no bits for a fraction. */
    volatile double shifted = magnitude + integral;
    return copysign(shifted - integral, x);
}

double nearbyint(double x)
{
    return rint(x);
}

/* A value that does not fit has no result; x86 then gives the smallest long. */
long lround(double x)
{
    double whole = round(x);
    __clew_require("float-invalid", whole >= -0x1p63 && whole < 0x1p63);
    return whole >= -0x1p63 && whole < 0x1p63 ? (long)whole : -__LONG_MAX__ - 1;
}

long lrint(double x)
{
    double whole = rint(x);
    __clew_require("float-invalid", whole >= -0x1p63 && whole < 0x1p63);
    return whole >= -0x1p63 && whole < 0x1p63 ? (long)whole : -__LONG_MAX__ - 1;
}

double fmin(double x, double y)
{
    if (x != x)
        return y;
    return x <= y || y != y ? x : y;
}

double fmax(double x, double y)
{
    if (x != x)
        return y;
    return x >= y || y != y ? x : y;
}

double fdim(double x, double y)
{
    return x <= y ? 0 : x - y;
}

/* A value in [low, high]. */
static double between(double low, double high)
{
    double value = __clew_nondet_double();
    __clew_assume(value >= low && value <= high);
    return value;
}

/* Correctly rounded, so its square is the argument up to the rounding of the root. */
double sqrt(double x)
{
    __clew_require("float-invalid", !(x < 0));
    if (x != x || x == 0 || x == INFINITY)
        return x;
    if (x < 0) {
        CLEW_ERRNO = CLEW_EDOM;
        return NAN;
    }
    double root = __clew_nondet_double();
    __clew_assume(root > 0 && root < 1.5e154);
    __clew_assume(root * root >= x * (1 - 0x1p-51) && root * root <= x * (1 + 0x1p-51) + 0x1p-1073);
    return root;
}

/* Sine and cosine have no value at infinity. */
static double circular(double x)
{
    __clew_require("float-invalid", __builtin_fabs(x) != INFINITY);
    if (__builtin_fabs(x) == INFINITY) {
        CLEW_ERRNO = CLEW_EDOM;
        return NAN;
    }
    return x != x ? x : between(-1, 1);
}

double sin(double x)
{
    return circular(x);
}

double cos(double x)
{
    return circular(x);
}

double tan(double x)
{
    double y = circular(x);
    if (y != y)
        return y;
    return between(-0x1p1000, 0x1p1000);
}

/* The arc functions have values for [-1, 1] only. */
static int outside_unit(double x)
{
    __clew_require("float-invalid", !(__builtin_fabs(x) > 1));
    if (!(__builtin_fabs(x) > 1))
        return 0;
    CLEW_ERRNO = CLEW_EDOM;
    return 1;
}

double asin(double x)
{
    if (x != x || outside_unit(x))
        return x != x ? x : NAN;
    return between(-1.5707963267948968, 1.5707963267948968);
}

double acos(double x)
{
    if (x != x || outside_unit(x))
        return x != x ? x : NAN;
    return between(0, 3.1415926535897936);
}

double atan(double x)
{
    return x != x ? x : between(-1.5707963267948968, 1.5707963267948968);
}

double atan2(double y, double x)
{
    return x != x || y != y ? NAN : between(-3.1415926535897936, 3.1415926535897936);
}

/* Overflows above the logarithm of the largest double. */
double exp(double x)
{
    if (x != x || x == INFINITY)
        return x;
    __clew_require("float-overflow", x < 709.782712893384);
    if (x > 709.782712893384) {
        CLEW_ERRNO = CLEW_ERANGE;
        return INFINITY;
    }
    return x >= 0 ? between(1, INFINITY) : between(0, 1);
}

static double logarithm(double x, double low, double high)
{
    if (x != x || x == INFINITY)
        return x;
    __clew_require("float-division-by-zero", x != 0);
    __clew_require("float-invalid", !(x < 0));
    if (x == 0) {
        CLEW_ERRNO = CLEW_ERANGE;
        return -INFINITY;
    }
    if (x < 0) {
        CLEW_ERRNO = CLEW_EDOM;
        return NAN;
    }
    return x >= 1 ? between(0, high) : between(low, 0);
}

double log(double x)
{
    return logarithm(x, -744.5, 709.79);
}

double log2(double x)
{
    return logarithm(x, -1074, 1024);
}

double log10(double x)
{
    return logarithm(x, -323.4, 308.3);
}

/* Only what C promises of special values; anything else may come out otherwise. */
double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return NAN;
    __clew_require("float-division-by-zero", !(x == 0 && y < 0));
    double fraction = y - trunc(y);
    int finite = __builtin_fabs(x) != INFINITY && __builtin_fabs(y) != INFINITY;
    __clew_require("float-invalid", !(x < 0 && finite && fraction != 0));
    if (x < 0 && finite && fraction != 0) {
        CLEW_ERRNO = CLEW_EDOM;
        return NAN;
    }
    double result = __clew_nondet_double();
    __clew_assume(result == result && (x < 0 || result >= 0));
    return result;
}

double fmod(double x, double y)
{
    if (x != x || y != y)
        return NAN;
    __clew_require("float-invalid", __builtin_fabs(x) != INFINITY && y != 0);
    if (__builtin_fabs(x) == INFINITY || y == 0) {
        CLEW_ERRNO = CLEW_EDOM;
        return NAN;
    }
    if (__builtin_fabs(x) < __builtin_fabs(y))
        return x;
    double rest = __clew_nondet_double();
    __clew_assume(__builtin_fabs(rest) < __builtin_fabs(y) && __builtin_fabs(rest) <= __builtin_fabs(x));
    __clew_assume(x >= 0 ? rest >= 0 : rest <= 0);
    return copysign(rest, x);
}
