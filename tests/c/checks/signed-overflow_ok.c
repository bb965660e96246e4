// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <limits.h>

static int middle(int low, int high) {
    return low + (high - low) / 2;
}

int main(void) {
    return middle(INT_MAX - 2, INT_MAX) == 0;
}
