/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What verification benchmarks call: SV-COMP's and CBMC's ways to say what holds. */
#include "clew.h"

void __VERIFIER_assume(int condition)
{
    __clew_assume(condition);
}

/* Nobody declares CBMC's functions: they are called as C calls what is not declared, with `int` and for `int`. */
int __CPROVER_assume(int condition)
{
    __clew_assume(condition);
    return 0;
}

/* The call itself is an obligation. */
int __clew_stable(double x, double threshold)
{
    (void)x;
    (void)threshold;
    return 1;
}

/* Benchmarks call `assert` without its header, where it is no macro. */
int assert(int condition)
{
    __clew_require("assertion", condition);
    return 0;
}

/* The call itself is an obligation. */
int __CPROVER_assert(int condition, const char *text)
{
    (void)condition;
    (void)text;
    return 0;
}
