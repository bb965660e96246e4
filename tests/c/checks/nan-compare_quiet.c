// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// stop-on: nan-compare
// An operator that starts with a quiet comparison is none.
#include <math.h>
int main(void) {
    volatile double nan = NAN, one = 1;
    if (isless(nan, one)) return 1;
    return isless(one, nan) < nan; // finds: nan-compare
}
