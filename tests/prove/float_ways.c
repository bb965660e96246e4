// SPDX-License-Identifier: MIT OR Apache-2.0
// Floats that the compiler does not compute in their type: by an attribute, and those of 16 bits.
#include <assert.h>

__attribute__((target("fpmath=387"))) static int same(double a, double b)
{
    double q = a / b;
    return q == a / b;
}

static void half(void)
{
    _Float16 a = 2048, b = 1;
    float c = a + b;
    assert(c == 2048); // undecided: assertion
}

static void rounded(void)
{
    _Float16 e = 2049;
    assert(e == 2049); // undecided: assertion
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        half();
    else if (argc == 2)
        rounded();
    else
        assert(same(1, 3)); // undecided: assertion
    return 0;
}
