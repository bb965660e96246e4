// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <float.h>
#include <math.h>
#include <stdio.h>
static void bits(double d) { union { double d; unsigned long long u; } v = { d }; printf("%016llx ", v.u); }
int main(void) {
    volatile double zero = 0.0; double inf = 1 / zero, nan = zero / zero;
    bits(0.1 + 0.2); bits(inf); bits(nan); bits(-nan); bits(-zero); bits(inf - inf); puts("");
    float f = 16777216.0f; f++; printf("%.9g %.9g\n", f, (float)16777217);
    long double ld = 1.0L / 3; printf("%.20Lg %La %zu\n", ld, ld, sizeof ld);
    __float128 q = 1; q /= 3; double qd = (double)q; bits(qd); bits((double)(q * 3 - 1)); puts("");
    printf("%d %d %d %d\n", nan == nan, nan < 1, nan != nan, !(nan >= 1));
    printf("%d %u %lld %d\n", (int)-3.99, (unsigned)3e9, (long long)-9.2e18, (signed char)-100.7);
    printf("%g %g %g\n", (double)18446744073709551615ull, (float)-9223372036854775807LL, (double)(unsigned __int128)-1);
    printf("%d %d %d %d\n", isnan(nan), isinf(-inf), isnormal(1e-310), signbit(-0.0) != 0);
    printf("%d %d %d\n", fpclassify(1e-310), fpclassify(zero), isunordered(nan, 1.0));
    printf("%.17g %.17g %.17g\n", sin(1), pow(2.5, 3.5), fmod(10, 3.3));
    printf("%.17g %.9g %.20Lg\n", sqrt(2), sqrtf(2), sqrtl(2));
    double sum = 0; for (int i = 0; i < 10; i++) sum += 0.1; printf("%.17g %a\n", sum, sum);
    float s = 0; for (int i = 0; i < 1000; i++) s += 0.1f; printf("%.9g\n", s);
    double x = 5e-324; x /= 2; x = DBL_MAX; x *= 2; printf("%g %g %g\n", x, FLT_MIN / 3, -DBL_MIN);
    printf("%g %g %g\n", fabs(-3.5), copysign(2, -0.0), __builtin_inf());
    x = 3; x++; x -= 0.5; x *= x; printf("%g ", x--); printf("%d\n", x == 11.25);
    printf("%d %d\n", (_Bool)0.1, (_Bool)nan);
    return 0;
}
