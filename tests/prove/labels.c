// SPDX-License-Identifier: MIT OR Apache-2.0
// A label with a distance added to it may be any label; `asm goto` may go to each of its own.
#include <assert.h>

int input(void);

static int table(unsigned i)
{
    static const int off[] = {&&a - &&a, &&b - &&a};
    goto *(&&a + off[i % 2]);
a:
    return 0;
b:
    assert(i == 7); // open: assertion
    return 1;
}

static int plus(int i)
{
    long d = (char *)&&b - (char *)&&a;
    void *p = &&a;
    if (i & 1)
        p += d;
    goto *p;
a:
    return 0;
b:
    assert(i != 1); // open: assertion
    return 1;
}

static int by_asm(int x)
{
    asm goto("testl %0,%0; jz %l1" ::"r"(x)::zero);
    return 0;
zero:
    assert(x != 0); // open: assertion
    return 1;
}

int main(void)
{
    return table((unsigned)input()) + plus(input()) + by_asm(input());
}
