// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <math.h> in three formats; errors set errno as glibc does.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ONE(name) printf(#name " %a %a %La\n", name(x), (double)name##f((float)x), name##l(x))

int main(void)
{
    static const double values[] = {0.5, 0.0, 1.0, 0.25, 0.75, 0.999};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i];
        ONE(sin);
        ONE(cos);
        ONE(tan);
        ONE(asin);
        ONE(acos);
        ONE(atan);
        ONE(sinh);
        ONE(cosh);
        ONE(tanh);
        ONE(exp);
        ONE(exp2);
        ONE(expm1);
        ONE(log1p);
        ONE(sqrt);
        ONE(cbrt);
        ONE(erf);
        ONE(erfc);
        ONE(ceil);
        ONE(floor);
        ONE(trunc);
        ONE(round);
        ONE(rint);
        ONE(nearbyint);
        ONE(fabs);
    }
    static const double more[] = {3.7, -3.7, 2.5, -2.5, 1e10, 123456.789};
    for (unsigned i = 0; i < sizeof more / sizeof *more; i++) {
        double x = more[i], whole, y = 1.75;
        int exponent, quotient;
        printf("%a %a %a %a\n", pow(fabs(x), y), atan2(x, y), hypot(x, y), fmod(x, y));
        printf("%a %a %a %a\n", fmin(x, y), fmax(x, y), fdim(x, y), copysign(x, -y));
        printf("%ld %lld %ld %d %a\n", lrint(x), llround(x), lround(x), ilogb(x), logb(x));
        double fraction = frexp(x, &exponent), rest = modf(x, &whole);
        printf("%a %d %a %a\n", fraction, exponent, whole, rest);
        fraction = remquo(x, y, &quotient);
        printf("%a %d %a\n", fraction, quotient & 7, remainder(x, y));
        printf("%a %a %a\n", ldexp(x, 10), scalbn(x, -3), nextafter(x, 0));
        printf("%a %a %a\n", fma(x, y, 1), log(fabs(x)), log10(fabs(x)));
        double s, c;
        sincos(x, &s, &c);
        printf("%a %a %a %a\n", s, c, tgamma(fabs(x) > 100 ? 3 : x), lgamma(x));
        printf("%d\n", signgam);
        printf("%a %a %a\n", j0(x), j1(x), jn(2, x));
    }
    volatile double zero = 0, huge = 1e308, minus = -1;
    errno = 0;
    printf("%f", log(zero));
    printf(" %d\n", errno == ERANGE);
    errno = 0;
    printf("%d", isnan(sqrt(minus)));
    printf(" %d\n", errno == EDOM);
    errno = 0;
    printf("%f", exp(huge));
    printf(" %d\n", errno == ERANGE);
    errno = 0;
    printf("%d", isnan(acos(huge)));
    printf(" %d\n", errno == EDOM);
    printf("%d %d %d %d %d\n", fpclassify(zero) == FP_ZERO, fpclassify(huge) == FP_NORMAL, isinf(huge * 10), isfinite(huge), signbit(minus) != 0);
    printf("%d %d %d\n", isless(1.0, 2.0), isgreater(1.0, 2.0), isunordered(1.0, NAN));
    printf("%f %d\n", nan("1") > 0 ? 1.0 : 0.0, abs(-3));
    return 0;
}
