// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// with: linked_part.c
#include <stdio.h>

extern int counter;
int next(void);
static int helper(int n) { return n * 2; }

int main(void) {
    next();
    printf("%d %d\n", helper(next()), counter);
    return 0;
}
