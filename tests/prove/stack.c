// SPDX-License-Identifier: MIT OR Apache-2.0
// What alloca makes: one object for each time, until the function returns. Functions without prototypes.
#include <alloca.h>
#include <stdlib.h>
#include <string.h>

static int first() {
    int *p = alloca(4 * sizeof *p);
    for (int i = 0; i < 4; i++)
        p[i] = i;
    return p[0]; // proved: uninitialised-read
}

static int half_written() {
    int *p = alloca(4 * sizeof *p);
    p[0] = 1;
    return p[1]; // open: uninitialised-read
}

static size_t text() {
    char *p = alloca(10);
    memset(p, 'a', 9);
    p[9] = 0;
    return strlen(p); // proved: string-not-terminated
}

static int several(int n) {
    int *last = NULL;
    for (int i = 0; i < n; i++) {
        int *p = alloca(sizeof *p);
        if (i == 0)
            *p = i;
        last = p;
    }
    return last == NULL ? 0 : *last; // open: uninitialised-read
}

static int *gone(void) {
    int *p = alloca(sizeof *p);
    *p = 1;
    return p;
}

int main(void) {
    int sum = first() + half_written() + (int)text() + several(rand() % 5);
    int *p = gone();
    return sum + *p; // open: use-after-free
}
