// SPDX-License-Identifier: MIT OR Apache-2.0
// What recursive calls touch, however deep they go.
extern int __VERIFIER_nondet_int(void);

static int last;

static int walk(int n)
{
    if (n <= 0)
        return last;
    int r = walk(n - 1) - walk(n - 2); // open: order-dependent
    last = n;
    return r;
}

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2); // proved: order-dependent
}

int main(void)
{
    int n = __VERIFIER_nondet_int();

    if (n < 0 || n > 29)
        return 0;
    return walk(n) == fib(n);
}
