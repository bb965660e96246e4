// SPDX-License-Identifier: MIT OR Apache-2.0
// Grows a buffer with realloc and loses it on the way out of an error path.
//
//     clew run examples/leak.c
//     clew run --stop-on memory-leak examples/leak.c
//
// finds: memory-leak of what malloc returned in `read_number`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_number(const char *text, int *result) {
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return 0;
    strcpy(copy, text);
    if (copy[0] < '0' || copy[0] > '9')
        return 0;
    *result = atoi(copy);
    free(copy);
    return 1;
}

int main(void) {
    int n = 0;
    read_number("17", &n);
    read_number("many", &n);
    printf("%d\n", n);
    return 0;
}
