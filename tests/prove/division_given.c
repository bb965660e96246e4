// SPDX-License-Identifier: MIT OR Apache-2.0
// A division by zero has no value: what is known of its result rests on it.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x < 0 || x > 50)
        return 0;
    int d = 100 / x;   // open: division-by-zero
    assert(d != 0);    // given: assertion
    int e = 100 / (x + 1); // proved: division-by-zero
    assert(e != 0);
    return 0;
}
