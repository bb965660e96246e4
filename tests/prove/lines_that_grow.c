// SPDX-License-Identifier: MIT OR Apache-2.0
// getline frees what it is given where that is too small; a buffer of size 0 it does not look at.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int input(void);

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0)
        puts(line);
    free(line);
    char small[4], *at = small;
    size_t room = 0;
    if (input()) {
        getline(&at, &room, stdin);
        assert(0); // open: assertion
    }
    room = sizeof small;
    at = small;
    getline(&at, &room, stdin); // open: invalid-free
    return 0;
}
