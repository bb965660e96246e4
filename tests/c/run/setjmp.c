// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static void deep(int n) {
    if (n == 0)
        longjmp(place, 42);
    deep(n - 1);
}

int main(void) {
    volatile int tries = 0;
    int value = setjmp(place);
    printf("%d %d\n", tries, value);
    if (tries++ < 2)
        deep(5);
    return value;
}
