// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdlib.h>

static int *buffer;

static void reset(void) {
    free(buffer);
    buffer = NULL;
}

int main(void) {
    buffer = malloc(4 * sizeof *buffer);
    reset();
    reset();
    return 0;
}
