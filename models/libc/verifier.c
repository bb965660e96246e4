/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What verification benchmarks call: SV-COMP's and CBMC's ways to say what holds. */
#include "clew.h"

void __VERIFIER_assume(int condition)
{
    __clew_assume(condition);
}

void __CPROVER_assume(_Bool condition)
{
    __clew_assume(condition);
}

/* Benchmarks call `assert` without its header, where it is no macro. */
void assert(int condition)
{
    __clew_require("assertion", condition);
}

void __CPROVER_assert(_Bool condition, const char *text)
{
    (void)text;
    __clew_require("assertion", condition);
}
