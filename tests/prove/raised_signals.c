// SPDX-License-Identifier: MIT OR Apache-2.0
// A handler that runs where the program says so may write what it likes: what lies behind is not followed.
#include <signal.h>

static int divisor = 5;

static void on_interrupt(int number)
{
    divisor = number - 2;
}

int main(void)
{
    int before = 10 / divisor; // proved: division-by-zero
    signal(SIGINT, on_interrupt);
    raise(SIGINT);
    return before / divisor; // undecided: division-by-zero
}
