// SPDX-License-Identifier: MIT OR Apache-2.0
// A check that is not selected hides nothing: runs go on after it where the machine has a value.
// flags: --check out-of-bounds,division-by-zero
static int table[4];

static int twice(int x)
{
    return x << 1;
}

static void store(int *a, int i)
{
    a[i] = 1; // violated: out-of-bounds
}

static int as_int(double x)
{
    return (int)x;
}

int main(int argc, char **argv)
{
    int big = 2147483647;

    if (argc == 2)
        store(table, twice(-1) + 9);
    if (argc == 3)
        return 10 / (big + argc + 2147483646); // violated: division-by-zero
    if (argc == 4)
        return table[as_int(-1e20 * argc)]; // violated: out-of-bounds
    return 0;
}
