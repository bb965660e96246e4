// SPDX-License-Identifier: MIT OR Apache-2.0
// Builds a bit mask in 64 bits from a shift in 32. The shift is undefined from bit 31 on.
//
//     clew run examples/flags.c
//
// finds: shift-out-of-range, in the turn for bit 31
#include <stdio.h>

int main(void) {
    unsigned long mask = 0;
    for (int bit = 29; bit < 34; bit++) {
        mask |= 1 << bit;
        printf("%d: %lx\n", bit, mask);
    }
    return 0;
}
