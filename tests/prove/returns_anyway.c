// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that are declared not to return and do: the machine goes on behind the call.
#include <stdlib.h>
#include <string.h>

int input(void);
static int last;

_Noreturn static void die(int code)
{
    last = code;
} // undecided: unreachable-reached

_Noreturn void fail(int code);

static void pass_on(int code)
{
    fail(code);
}

_Noreturn static void ends(int code)
{
    exit(code);
}

_Noreturn void elsewhere(void);

int own(void)
{
    int k = input();
    if (k < 1)
        die(k);
    return 10 / k; // given: division-by-zero
}

int through_another(void)
{
    int k = input();
    if (k < 1)
        pass_on(k);
    return 10 / k; // given: division-by-zero
}

void fail(int code)
{
    if (code < 0)
        exit(1);
} // undecided: unreachable-reached

int really(void)
{
    int k = input();
    if (k < 1)
        ends(k);
    return 10 / k; // proved: division-by-zero
}

int not_here(void)
{
    int k = input();
    if (k < 1)
        elsewhere();
    return 10 / k; // proved: division-by-zero
}

static const char fixed[4] = "abc";

void nothing_is_written(void)
{
    memset((char *)fixed, 0, last & 0); // proved: write-to-const
}
