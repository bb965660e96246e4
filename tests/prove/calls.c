// SPDX-License-Identifier: MIT OR Apache-2.0
// What a call may have changed although nothing new is known after it.
#include <stdlib.h>

extern void missing(int);

static int shared;

static void sometimes(int c) {
    if (c)
        shared = rand();
}

static void never(int c) {
    if (c)
        rand();
}

static int changed(void) {
    shared = rand();
    int x = shared;
    sometimes(rand());
    if (x == 3)
        return 10 / (shared - 2); // open: division-by-zero
    return 0;
}

static int unchanged(void) {
    shared = rand();
    int x = shared;
    never(rand());
    if (x == 3)
        return 10 / (shared - 2); // proved: division-by-zero
    return 0;
}

// The size is that of `n`, whatever the other function is given.
static int other_argument(int n, int m) {
    if (n < 1 || n > 100 || m < 1 || m > 100000)
        return 0;
    char *p = __builtin_alloca(n);
    missing(m);
    p[n - 1] = 0; // proved: out-of-bounds
    p[m - 1] = 0; // open: out-of-bounds
    return p[n - 1];
}

static int argument_itself(int m, int n) {
    if (n < 1 || n > 100 || m < 1 || m > 100000)
        return 0;
    char *p = __builtin_alloca(n);
    missing(m);
    p[m - 1] = 0; // open: out-of-bounds
    return p[m - 1];
}

int main(void) {
    int sum = changed() + unchanged();
    sum += other_argument(rand(), rand()) + argument_itself(rand(), rand());
    return sum;
}
