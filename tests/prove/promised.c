// SPDX-License-Identifier: MIT OR Apache-2.0
// What declarations promise of pointers is asked where they are handed on.
#include <stdlib.h>

int first(const int *p) __attribute__((nonnull));
int second(int n, int *p, int *q) __attribute__((__nonnull__(2)));
int third(int a[static 3]);
int *made(int n) __attribute__((__returns_nonnull__));
int *given(int n) __attribute__((returns_nonnull));
static int number, two[2], four[4];

int first(const int *p) { return *p; }
int second(int n, int *p, int *q) { return n + *p + (q ? *q : 0); }
int third(int a[static 3]) { return a[2]; }
int *made(int n)
{
    (void)n;
    return malloc(4); // open: bad-argument
}
int *given(int n)
{
    return n ? &number : two; // proved: bad-argument
}

static void kept(int n)
{
    first(&number); // proved: bad-argument
    second(n & 1, &number, NULL); // proved: bad-argument
    third(four); // proved: bad-argument out-of-bounds
    third(&four[1]); // proved: out-of-bounds
}

static void broken(int n)
{
    int *nothing = n > 3 ? &number : NULL;
    if (n == 1)
        first(nothing); // open: bad-argument
    if (n == 2)
        second(n & 1, nothing, &number); // open: bad-argument
    if (n == 3)
        third(two); // open: out-of-bounds
}

int main(int argc, char **argv)
{
    (void)argv;
    kept(argc);
    given(argc);
    broken(argc);
    made(argc);
    return 0;
}
