// SPDX-License-Identifier: MIT OR Apache-2.0
// What is proved behind __builtin_unreachable rests on it: without optimisation the machine goes on there.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        __builtin_unreachable(); // undecided: unreachable-reached
    assert(x <= 0); // given: assertion
    return 0;
}
