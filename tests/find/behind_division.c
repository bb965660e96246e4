// SPDX-License-Identifier: MIT OR Apache-2.0
// What comes behind a division by zero that every run meets, if it comes whatever the division gives.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int table[4];

static void fill(void)
{
    for (int i = 0; i <= 4; i++)
        table[i] = 100 / i; // violated: division-by-zero out-of-bounds
}

int main(void)
{
    int x = __VERIFIER_nondet_int();

    if (x < 0 || x > 50)
        fill();
    int d = 100 / x; // violated: division-by-zero
    assert(d != 0);
    return 0;
}
