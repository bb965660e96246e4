// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdlib.h>
#include <string.h>

static int checksum(unsigned long n) {
    unsigned char *copy = malloc(n);
    if (copy == NULL)
        return -1;
    memset(copy, 1, n);
    int last = copy[n - 1];
    free(copy);
    return last;
}

int main(void) {
    return checksum(1ul << 12) == 0;
}
