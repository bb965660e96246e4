// SPDX-License-Identifier: MIT OR Apache-2.0
// What nobody wrote may be anything, also where a type has only few values or has bytes that mean nothing.
#include <assert.h>
#include <stdlib.h>

void truth_in_memory(void)
{
    _Bool *b = malloc(32);
    if (!b)
        return;
    int i = b[20];
    free(b);
    assert(i == 0 || i == 1); // open: assertion
}

void truth_in_a_register(void)
{
    static const int two[2] = { 1, 2 };
    _Bool b;
    (void)two[b]; // open: out-of-bounds
}

int written_truth(int x)
{
    static const int two[2] = { 1, 2 };
    _Bool b = x;
    return two[b]; // proved: out-of-bounds
}

int behind_the_number(long double f)
{
    char *c = (char *)&f;
    return c[12]; // open: uninitialised-read
}

int behind_zero(void)
{
    long double f = 0;
    char *c = (char *)&f;
    return c[12]; // open: uninitialised-read
}

int in_the_number(void)
{
    long double f = 1;
    char *c = (char *)&f;
    return c[9]; // proved: uninitialised-read
}
