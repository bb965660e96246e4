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

// The second time the inner call begins with another number; what was found out of it while nothing was recorded is no record.
static int turned = 4, again;
static unsigned int turns(int depth) {
    if (depth > 0)
        turns(depth - 1);
    if (depth == 0 && turned == 2)
        again = 1 / (turned - 2); // open: division-by-zero
    turned = (turned + 11) % 3;
    return turned;
}

static void turned_twice(void) {
    for (int i = 0; i < 2; i++) {
        int *made = malloc(sizeof *made);
        if (!made)
            return;
        *made = turns(1);
    }
}

int main(void) {
    int sum = changed() + unchanged();
    sum += other_argument(rand(), rand()) + argument_itself(rand(), rand());
    turned_twice();
    return sum;
}
