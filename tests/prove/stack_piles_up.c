// SPDX-License-Identifier: MIT OR Apache-2.0
// One object of variable size fits the stack; many, that are there at once, need not.
#include <alloca.h>

extern int __VERIFIER_nondet_int(void);

static int deep(int n, int m)
{
    char bytes[m]; // open: stack-exhausted

    bytes[0] = 1;
    return n <= 0 ? 0 : deep(n - 1, m) + bytes[0];
}

static int once(int m)
{
    char bytes[m]; // proved: stack-exhausted

    bytes[0] = 1;
    return bytes[0];
}

int main(void)
{
    int s = 0;

    for (int i = 0; i < 100000; i++) {
        char *p = alloca(1000); // open: stack-exhausted
        p[0] = 1;
        s ^= p[0];
        s ^= once(100 + i % 7);
    }
    char *q = alloca(1000); // proved: stack-exhausted
    q[0] = 1;
    return s + q[0] + deep(100, 1000000);
}
