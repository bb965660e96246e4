/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <errno.h> */
#include "clew.h"

int *__errno_location(void)
{
    static int number;
    return &number;
}
