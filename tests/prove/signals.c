// SPDX-License-Identifier: MIT OR Apache-2.0
// A handler of signals runs at any time: whatever it reads may be anything, and the code around it goes on as if it were not there,
// under the assumption that handlers write nothing but volatile objects.
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t stopped;
static int divisor = 5;
static int *shared;
static const int table[4] = {1, 2, 3, 4};

static void on_interrupt(int number)
{
    stopped = 1;
    signal(number, on_interrupt);
    divisor = 100 / divisor; // undecided: division-by-zero
    int first = table[0] + 1; // proved: signed-overflow
    if (shared)
        first += *shared; // undecided: invalid-deref
}

static void on_quit(int number)
{
    int a[4];
    a[number & 3] = number; // proved: out-of-bounds
    _Exit(a[number & 7] > 0); // undecided: out-of-bounds
}

static void never_installed(int number)
{
    divisor = 1 / number; // unreachable: division-by-zero
}

int main(int argc, char **argv)
{
    int turns = 0;
    struct sigaction action = {0};
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, SIG_IGN);
    action.sa_handler = on_quit;
    sigaction(SIGQUIT, &action, NULL);
    if (argc > 100)
        divisor = 0;
    shared = &divisor;
    while (!stopped && turns < 1000)
        turns++; // proved: signed-overflow
    if (stopped)
        turns = 10 / (turns - 1001); // proved: division-by-zero
    return turns;
}
