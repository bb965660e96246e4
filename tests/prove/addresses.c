// SPDX-License-Identifier: MIT OR Apache-2.0
// Which addresses may be equal, and how far apart they are.
#include <math.h>
#include <stdlib.h>

static char *made(void)
{
    char *c = malloc(16);
    if (!c)
        exit(0);
    return c;
}

// Four objects of one allocation are told apart no further.
static int of_many(void)
{
    char *t[4];
    for (int i = 0; i < 4; i++)
        t[i] = made();
    unsigned long apart = (unsigned long)t[0] - (unsigned long)t[1];
    int k = apart == 0;
    return 10 / k; // open: division-by-zero
}

static int of_one(void)
{
    char *t = made();
    unsigned long apart = (unsigned long)(t + 3) - (unsigned long)t;
    return 10 / (apart == 3); // proved: division-by-zero
}

static int moved(void)
{
    char *a = malloc(16);
    if (!a)
        return 0;
    unsigned long was = (unsigned long)a;
    char *b = realloc(a, 24);
    if (!b)
        return 0;
    int k = was != (unsigned long)b;
    return 10 / k; // open: division-by-zero
}

static int came_again(void)
{
    char *a = made();
    unsigned long was = (unsigned long)a;
    free(a);
    char *b = made();
    int k = was != (unsigned long)b;
    return 10 / k; // open: division-by-zero
}

static int alive(void)
{
    char *a = made(), *b = malloc(16);
    if (!b)
        return 0;
    return 10 / (a != b); // proved: division-by-zero
}

// The bytes of a pointer, copied one by one, or by halves.
static int by_bytes(void)
{
    int table[4] = {0}, n = 0, *p = &n, *q;
    for (unsigned i = 0; i < sizeof p; i++)
        ((unsigned char *)&q)[i] = ((unsigned char *)&p)[i];
    *q = 4;
    return table[n]; // undecided: out-of-bounds
}

static int by_halves(void)
{
    union {
        int *whole;
        unsigned half[2];
    } p, q;
    int table[4] = {0}, n = 0;
    p.whole = &n;
    q.half[1] = p.half[1];
    q.half[0] = p.half[0];
    *q.whole = 4;
    return table[n]; // undecided: out-of-bounds
}

static int literals(void)
{
    const char *a = "abc", *b = "abc";
    int k = a != b;
    return 10 / k; // open: division-by-zero
}

static unsigned long of_local(int k)
{
    int v = k, *p = &v;
    return (unsigned long)p;
}

static unsigned long deeper(int k)
{
    char room[100];
    room[0] = (char)k;
    return of_local(room[0]);
}

// Each call has a local of its own.
static int of_calls(void)
{
    int k = of_local(1) == deeper(1);
    return 10 / k; // open: division-by-zero
}

// Half of the divisor is not exact among the smallest numbers.
static int small_remainder(void)
{
    double r = remainder(0x2p-1074, 0x3p-1074);
    int k = r > 0;
    return 10 / k; // open: division-by-zero
}

static int remainder_of_near(void)
{
    double r = remainder(5.0, 3.0);
    return 10 / (r == -1.0); // proved: division-by-zero
}

int main(void)
{
    int sum = of_one() + alive() + remainder_of_near();
    switch (rand()) {
    case 0:
        return of_many();
    case 1:
        return moved();
    case 2:
        return came_again();
    case 3:
        return literals();
    case 4:
        return small_remainder();
    case 5:
        return by_bytes();
    case 6:
        return by_halves();
    case 7:
        return of_calls();
    }
    return sum;
}
