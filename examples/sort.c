// SPDX-License-Identifier: MIT OR Apache-2.0
// A comparison function that subtracts: the classic qsort mistake. It works until two values are far apart.
//
//     clew run examples/sort.c
//
// finds: signed-overflow in `compare`, called by qsort
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int values[] = {3, -2147483647, 2147483647, 0};
    qsort(values, 4, sizeof values[0], compare);
    for (int i = 0; i < 4; i++)
        printf("%d\n", values[i]);
    return 0;
}
