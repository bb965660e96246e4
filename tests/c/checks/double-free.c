// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>

static int *buffer;

static void reset(void) {
    free(buffer); // finds: double-free
}

int main(void) {
    buffer = malloc(4 * sizeof *buffer);
    reset();
    reset();
    return 0;
}
