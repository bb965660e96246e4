// SPDX-License-Identifier: MIT OR Apache-2.0
// Code that is not here may keep a function and call it whenever it runs, and at the end.
#include <stdlib.h>

void keep(void (*function)(void));
void both(void (*one)(void), void (*other)(void));
void wait_for_events(void);
int input(void);

static int table[4], later, last, other, destroyed, always;

static void use_later(void)
{
    table[later] = 1; // undecided: out-of-bounds
}

static void use_last(void)
{
    table[last] = 1; // undecided: out-of-bounds
}

static void use_other(void)
{
    table[other] = 1; // undecided: out-of-bounds
}

static void set_other(void)
{
    other = 4;
}

static void is_kept(void)
{
    table[always] = 1; // given: out-of-bounds
}

static void is_registered(void)
{
    destroyed = 4;
}

__attribute__((destructor)) static void destroy(void)
{
    table[destroyed] = 1; // undecided: out-of-bounds
}

int main(void)
{
    always = 3;
    keep(is_kept);
    keep(use_later);
    later = 4;
    wait_for_events();
    later = 0;
    both(use_other, set_other);
    keep(use_last);
    atexit(is_registered);
    last = 4;
    exit(0);
}
