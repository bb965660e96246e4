// SPDX-License-Identifier: MIT OR Apache-2.0
// Code that is not given may call what has an external alias, and define what is weak.
#include <assert.h>

static int hidden(int x)
{
    return 1 / x; // open: division-by-zero
}
int seen(int) __attribute__((alias("hidden")));

static int unseen(int x)
{
    return 2 / x; // proved: division-by-zero
}
int user(void)
{
    return unseen(3);
}

static int level = 1;
extern int level_of_others __attribute__((alias("level")));
static int own = 1;
int levels(void)
{
    assert(own == 1); // unreachable: assertion
    assert(level == 1); // open: assertion
    return 0;
}

__attribute__((weak)) int hook(int x)
{
    return x;
}
int calls_hook(int x)
{
    return 100 / hook(x ? 1 : 2); // open: division-by-zero
}

__attribute__((weak)) const int setting = 1;
const int fixed = 1;
int settings(void)
{
    return 100 / fixed // proved: division-by-zero
           + 100 / setting; // open: division-by-zero
}

static int of_a_weak_name(int x)
{
    return 2 / x; // open: division-by-zero
}
int weak_name(int) __attribute__((weak, alias("of_a_weak_name")));
int calls_weak_name(void)
{
    return 3 / weak_name(2); // open: division-by-zero
}

inline int twice(int x)
{
    return x * 2;
}
int calls_inline(void)
{
    return 8 / twice(2); // proved: division-by-zero
}
