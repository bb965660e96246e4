// SPDX-License-Identifier: MIT OR Apache-2.0
// Which object a pointer points to is known together with which objects are there.
#include <stdlib.h>

static void cleared(void) {
    int *p = calloc(10, sizeof *p); // proved: memory-leak
    if (p == NULL)
        exit(1);
    p[3] = 5;
    free(p); // proved: invalid-free double-free
}

static void grown(void) {
    int *p = malloc(10 * sizeof *p); // proved: memory-leak
    if (p == NULL)
        return;
    int *larger = realloc(p, 1000 * sizeof *p); // proved: memory-leak
    if (larger != NULL)
        p = larger;
    free(p); // proved: double-free
}

static void lost(void) {
    int *p = malloc(10 * sizeof *p); // open: memory-leak
    if (p == NULL)
        return;
    p = realloc(p, 1000 * sizeof *p); // lost if this fails
    free(p);
}

static void twice(int again) {
    int *p = malloc(sizeof *p);
    int *q = p;
    if (again)
        free(q);
    free(p); // open: double-free
}

int main(void) {
    cleared();
    grown();
    lost();
    twice(rand() % 2);
    return 0;
}
