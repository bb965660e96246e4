// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// A name in universal characters is the one that it spells.
#include <stdio.h>

static int caf\u00e9(int n) { return n + 1; }

int main(void)
{
    int \u00e9t\U000000e9 = 3;
    été++;
    printf("%d %d\n", ét\u00e9, café(2));
    return 0;
}
