// SPDX-License-Identifier: MIT OR Apache-2.0
// Loops that are entered beside their heads, by a case or a jump: what no state came to at the head is reached all the same.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int duff(int n)
{
    int w = 0, k = (n + 3) / 4;

    switch (n % 4) {
    case 0:
        do {
            w++;
    case 3:
            w++;
    case 2:
            w++;
    case 1:
            w++; // proved: signed-overflow
        } while (--k > 0);
    }
    return w;
}

static int only_inside(int x)
{
    int r = 0;

    switch (x) {
    case 3:
        while (r < 33) {
    case 4:
            r++;
        }
    }
    return r;
}

static int nested(int x)
{
    int r = 0, i = 0, j = 0;

    if (x > 3)
        goto inner;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
        inner:
            r++;
        }
    }
    return r;
}

int main(void)
{
    int n = only_inside(4);
    int x = __VERIFIER_nondet_int();

    assert(duff(3) == 3); // unreachable: assertion
    assert(n == 33);
    if (x > 3 && x < 9)
        assert(nested(x) != 9); // open: assertion
    return 10 / (n - 33); // open: division-by-zero
}
