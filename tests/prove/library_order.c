// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls of library functions that share a state of the library's own do not commute.
#include <stdlib.h>
#include <string.h>
#include <time.h>

int numbers(void)
{
    return rand() - rand(); // undecided: order-dependent
}

int more_numbers(void)
{
    return random() > random(); // undecided: order-dependent
}

int fractions(void)
{
    return drand48() < drand48(); // undecided: order-dependent
}

static int seeded(void)
{
    srand(3);
    return 1;
}

int seeds(void)
{
    return seeded() + rand(); // undecided: order-dependent
}

// No model, but the library's.
int without_model(void)
{
    return lrand48() > mrand48(); // undecided: order-dependent
}

int environment(void)
{
    return setenv("A", "1", 1) + (getenv("A") != NULL); // undecided: order-dependent
}

int variables(void)
{
    return (getenv("A") != NULL) + (getenv("B") != NULL); // proved: order-dependent
}

int clocks(void)
{
    return difftime(time(NULL), time(NULL)) >= 0; // undecided: order-dependent
}

static int length(const char *text)
{
    return (int)(strlen(text) & 0xff);
}

int lengths(void)
{
    return length("a") + length("bc"); // proved: order-dependent
}
