// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// stop-on: nan-compare
#include <math.h>
#include <stdio.h>
int main(void) {
    volatile double nan = NAN, one = 1;
    volatile float small = 0.5f;
    printf("%d%d%d%d ", isless(nan, one), islessequal(one, nan), isgreater(nan, nan), isgreaterequal(small, nan));
    printf("%d%d%d%d ", isless(small, one), islessequal(one, one), isgreater(small, one), isgreaterequal(one, small));
    printf("%d%d ", islessgreater(nan, one), isunordered(nan, one));
    return __builtin_isless (nan, (one)) || isgreater((nan), (one + one));
}
