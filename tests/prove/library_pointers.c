// SPDX-License-Identifier: MIT OR Apache-2.0
// A library function that is called through a pointer asks what it asks by name. What the library keeps for itself is not
// forgotten when somebody else is called.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void *(*const copy)(void *, const void *, size_t) = memcpy;
static int (*absolute)(int) = abs;
static int counts[256];

void copies(int n)
{
    char from[8] = "1234567", to[8];
    copy(to, from, 8); // proved: out-of-bounds null-deref overlap
    if (n > 0)
        copy(to, from, n); // undecided: out-of-bounds
}

void magnitudes(int n)
{
    int (*f)(int) = n > 3 ? isdigit : absolute;
    f(n); // undecided: bad-argument
}

void magnitudes_of_one(int n)
{
    int (*f)(int) = abs;
    f(-7); // proved: signed-overflow
    f(n);  // undecided: signed-overflow
}

void unknown(void);

int tables(const char *s)
{
    unknown();
    if (s == NULL)
        return 0;
    int c = toupper((unsigned char)*s);
    counts[c] = isspace((unsigned char)*s); // proved: out-of-bounds null-deref invalid-deref uninitialised-read
    return c;
}

int negative(void)
{
    int c = (*__ctype_toupper_loc())[-5];
    return c == 251 ? 0 : counts[256]; // unreachable: out-of-bounds
}
