/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <errno.h>: where errno lives. */
#include "clew.h"

int *__errno_location(void)
{
    static int error; /* one thread, so one variable */
    return &error;
}

int __clew_any_error(void)
{
    int error = __clew_nondet_int();
    __clew_assume(error > 0 && error < 4096); /* what the kernel can return */
    errno = error;
    return -1;
}

void __clew_maybe_error(void)
{
    if (__clew_nondet_bool()) {
        __clew_any_error();
    }
}
