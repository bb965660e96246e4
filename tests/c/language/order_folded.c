// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// Operands that gcc folds to a plain variable are read behind the call on the other side.
#include <stdio.h>

static int x, a[8];
static struct s {
    int m;
    unsigned u;
} s0;
static int set(int v)
{
    x = v;
    s0.m = v;
    return v & 7;
}
static int *place(int v)
{
    set(v);
    return &a[v & 7];
}
static int two(int p, int q)
{
    return p * 10 + q;
}

#define SHOW(e) (x = 1, s0.m = 1, printf("%d\n", (int)(e)))

int main(void)
{
    SHOW(x * 1 + set(5));
    SHOW((x + 0) * set(5));
    SHOW((x | 0) + set(5));
    SHOW((x ^ 0) + set(5));
    SHOW((x & -1) + set(5));
    SHOW(+x + set(5));
    SHOW(~~x + set(5));
    SHOW(-(-x) + set(5));
    SHOW((int)(long)x + set(5));
    SHOW((0, x) + set(5));
    SHOW(*&x + set(5));
    SHOW((&x)[0] + set(5));
    SHOW((1 ? x : 0) + set(5));
    SHOW((x ? x : 0) + set(5));
    SHOW((x == 0 ? 0 : x) + set(5));
    SHOW(x + -set(5));
    SHOW(x - set(6) / 3);
    SHOW(~x ^ set(5));
    SHOW(x - (set(3), x));
    SHOW((x + 1) - (set(3), x) * 2);
    SHOW(set(2) - (set(3), x));
    SHOW((x + 0) < set(5) - 2);
    x = 1;
    a[set(2)] = x;
    x = 1;
    *place(3) = x * 1;
    x = 1;
    *place(4) += x;
    x = 1;
    *place(5) = s0.m;
    x = 1;
    a[x] = two(set(6), 2);
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
