// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <limits.h>

static int middle(int low, int high) {
    return (low + high) / 2; // finds: signed-overflow
}

int main(void) {
    return middle(INT_MAX - 2, INT_MAX) == 0;
}
