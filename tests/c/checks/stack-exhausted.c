// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>

static int checksum(unsigned long n) {
    unsigned char copy[n]; // finds: stack-exhausted
    memset(copy, 1, n);
    return copy[n - 1];
}

int main(void) {
    return checksum(1ul << 40) == 0;
}
