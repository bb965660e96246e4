// SPDX-License-Identifier: MIT OR Apache-2.0
// A shift by more than its type has bits is not undone as if it had given zero: the machine gives something else.
// flags: --check assertion
#include <assert.h>

static int zero, nine = 9, table[4] = { 1, 7, 3, 4 };

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int s = 34, n = __VERIFIER_nondet_int();

    if (n < 1 || n > 3)
        return 0;
    int *all = table + n;
    if (all[-1] == 7)
        assert(zero != 0); // open: assertion
    if ((nine >> s) == 2)
        assert(zero != 0); // open: assertion
    return 0;
}
