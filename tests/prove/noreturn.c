// SPDX-License-Identifier: MIT OR Apache-2.0
// What is declared not to return is taken at its word, and asked to keep it.
#include <stdlib.h>

_Noreturn static void fail(void)
{
    exit(1);
}

_Noreturn static void fail_if(int z)
{
    if (z > 5)
        exit(1);
} // undecided: unreachable-reached

_Noreturn static void back(void)
{
    return; // undecided: unreachable-reached
}

int checked(int z)
{
    if (z == 0)
        fail();
    return 10 / z; // proved: division-by-zero
}

int believed(int z)
{
    if (z == 0)
        fail_if(z);
    return 10 / z;
}

int believed_again(int z)
{
    if (z == 0)
        back();
    return 10 / z;
}
