// SPDX-License-Identifier: MIT OR Apache-2.0
// Lengths are evaluated wherever a variably modified type is written: in parameters and casts, too.
#include <assert.h>
#include <stdlib.h>

extern int any(void);

static int rows(int n, int (*a)[10 / n]) // open: division-by-zero
{
    return a != 0;
}
static int checked(int n, int (*a)[10 / n]) // proved: division-by-zero bad-array-length
{
    return a != 0;
}
static int negative(int n, int (*a)[n]) // open: bad-array-length
{
    return a != 0;
}
static int cast(int n, void *p)
{
    return (int (*)[10 / n])p != 0; // open: division-by-zero
}
static int cells(int n, int a[][n++])
{
    (void)a;
    return n;
}
static int pointer(int n, int (*a)[2][n++])
{
    (void)a;
    return n;
}
static int not_of_a_prototype(int n, int (*f)(int (*)[n++]))
{
    (void)f;
    return n;
}

int main(void)
{
    int n = any();
    void *v = malloc(400);
    if (!v)
        return 0;
    if (n > 0 && n < 10)
        checked(n, 0);
    int m = n;
    assert(cells(5, v) == 6); // unreachable: assertion
    assert(pointer(5, v) == 6); // unreachable: assertion
    assert(not_of_a_prototype(5, 0) == 5); // unreachable: assertion
    n = 5;
    int (*q)[n] = v;
    q = (int (*)[n++])v;
    assert(n == 6); // unreachable: assertion
    free(q);
    if (any())
        return rows(m, 0);
    if (any())
        return negative(m, 0);
    return cast(m, &m);
}
