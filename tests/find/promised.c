// SPDX-License-Identifier: MIT OR Apache-2.0
// flags: --entry average --entry main
// Null where a declaration promises that it is not; an entry is handed what it asks for.
#include <stddef.h>

static int number = 4;

__attribute__((nonnull(1))) static int twice(int *p, int n) { return n > 0 && p ? 2 * n : 0; }
__attribute__((returns_nonnull)) static int *found(int n)
{
    return n > 1 ? NULL : &number; // violated: bad-argument
}
static int of_three(int a[static 3]) { return a[0]; }

int average(const int v[static 2], int n) __attribute__((nonnull(1)));
int average(const int v[static 2], int n)
{
    return (v[0] & 15) / n + (v[1] & 7); // violated: division-by-zero
}

int main(int argc, char **argv)
{
    int two[2] = { 1, 2 };
    (void)argv;
    if (argc == 2)
        return twice(NULL, argc); // violated: bad-argument
    if (argc == 3)
        return of_three(two); // violated: out-of-bounds
    return found(argc) == NULL;
}
