// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stop-on: memory-leak
#include <stdlib.h>

static int sum(int n) {
    int *values = malloc(n * sizeof *values);
    if (values == NULL)
        return -1;
    int total = 0;
    for (int i = 0; i < n; i++) {
        values[i] = i;
        total += values[i];
    }
    free(values);
    return total;
}

int main(void) {
    return sum(4) == 6 ? 0 : 1;
}
