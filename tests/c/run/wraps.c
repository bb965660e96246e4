// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// flags: -fwrapv
#include <limits.h>
#include <stdio.h>

int main(void) {
    int n = INT_MAX;
    n++; // counts: signed-overflow
    printf("%d\n", n);
    return 0;
}
