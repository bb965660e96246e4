// SPDX-License-Identifier: MIT OR Apache-2.0
// Places before a pointer by a constant distance: behind a check of one there are runs.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    int a, b;
};

static int zero;
static int table[4];
static struct pair pairs[3];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *all = table + n;
    struct pair *one = pairs + n;

    if (n < 0 || n > 3)
        return 0;
    int s = all[-1];  // open: out-of-bounds
    s += one[-1].b;   // open: out-of-bounds
    assert(zero != 0); // open: assertion
    return s;
}
