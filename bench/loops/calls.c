// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls: naive Fibonacci numbers, the Ackermann function, and calls through a table of function pointers.
#include <stdio.h>

static unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned xor(unsigned a, unsigned b) { return a ^ b; }
static unsigned rotate(unsigned a, unsigned b) { return a << 5 | a >> 27 | (b & 1); }

int main(void)
{
    unsigned (*table[])(unsigned, unsigned) = {add, xor, rotate};
    unsigned hash = 1;
    for (unsigned i = 0; i < 20000000; i++)
        hash = table[i % 3](hash, i);
    printf("%u %u %u\n", fibonacci(35), ackermann(2, 2000), hash);
    return 0;
}
