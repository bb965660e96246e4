// SPDX-License-Identifier: MIT OR Apache-2.0
// _FORTIFY_SOURCE takes nothing away.
// flags: -- -O2 -D_FORTIFY_SOURCE=2
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void writes(int n)
{
    char b[4], c[32];
    sprintf(c, "%d", n); // proved: out-of-bounds
    printf("%d %s\n", 7, "x");
    if (n == 1)
        sprintf(b, "%s", "abcdef"); // open: out-of-bounds
    if (n == 2)
        memset(b, 0, 9); // open: out-of-bounds
    if (n == 3)
        strcpy(b, "abcd"); // open: out-of-bounds
    if (n == 4)
        read(0, b, 5); // open: out-of-bounds
    if (n == 5)
        __builtin___memcpy_chk(b, c, 5, 4); // open: out-of-bounds
    memcpy(b, "abc", 4); // given: out-of-bounds
}
