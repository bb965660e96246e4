// SPDX-License-Identifier: MIT OR Apache-2.0
// Two calls in one argument list, both of which move the same counter. C leaves their order open; gcc evaluates
// arguments from the right, clang from the left, so the two compilers print different lines.
//
//     clew run examples/order.c
//
// finds: order-dependent, counted and listed at the end
#include <stdio.h>

static int counter;

static int next(void) {
    return ++counter;
}

int main(void) {
    printf("%d %d\n", next(), next());
    return 0;
}
