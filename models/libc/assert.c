/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <assert.h>: what the macro calls when the condition does not hold. */
#include "clew.h"

_Noreturn void _exit(int status);

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)assertion, (void)file, (void)line, (void)function;
    __clew_require("assertion", 0);
    _exit(134);
}

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    (void)error, (void)file, (void)line, (void)function;
    __clew_require("assertion", 0);
    _exit(134);
}
