// SPDX-License-Identifier: MIT OR Apache-2.0
// C fixes neither how often qsort compares nor what; what a consistent comparison orders is ordered.
#include <assert.h>
#include <stdlib.h>

static int count, seen[3], table[4];

static int counting(const void *a, const void *b)
{
    if (count < 3)
        seen[count++] = 1;
    return *(const int *)a - *(const int *)b;
}

static int plain(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int a[2] = {2, 1}, b[3] = {2, 1, 3};
    qsort(a, 2, sizeof *a, counting);
    if (count != 1)
        table[4] = 1; // undecided: out-of-bounds
    qsort(b, 3, sizeof *b, plain);
    assert(b[0] == 1 && b[2] == 3);
    return 0;
}
