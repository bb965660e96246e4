// SPDX-License-Identifier: MIT OR Apache-2.0
// Where a program waits, handlers run, and may write what they like.
#include <signal.h>
#include <unistd.h>

static int table[12];
static int count, *place = &count, untouched;

static void on_alarm(int number)
{
    (void)number;
    *place = 12;
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    table[count] = 1; // proved: out-of-bounds
    alarm(1);
    pause();
    table[count] = 1; // undecided: out-of-bounds
    table[untouched] = 1; // given: out-of-bounds
    return 0;
}
