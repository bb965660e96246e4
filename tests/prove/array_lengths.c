// SPDX-License-Identifier: MIT OR Apache-2.0
// The lengths of variable-length arrays are more than zero, of objects, pointers to arrays and typedefs.
int input(void);

static int object(int n)
{
    char a[n]; // open: bad-array-length
    a[0] = 1;
    return a[0];
}

static int tested(int n)
{
    if (n < 1 || n > 100)
        return 0;
    int a[n]; // proved: bad-array-length
    a[n - 1] = 1;
    return a[n - 1];
}

static int pointer(int n)
{
    int (*p)[n] = 0; // open: bad-array-length
    return p == 0;
}

static int named(int n)
{
    typedef int row[n]; // open: bad-array-length
    return (int)sizeof(row);
}

int main(void)
{
    return tested(input()) + object(input()) + pointer(input()) + named(input());
}
