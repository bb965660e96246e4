// SPDX-License-Identifier: MIT OR Apache-2.0
// A pointer that was copied byte by byte still leads code elsewhere to what it points to, and to functions that it may call.
#include <signal.h>

struct box {
    int *value;
    void (*function)(void);
};

void change(struct box *box);

static int divisor = 1, table[2], at;
static volatile int seen;

static void set_zero(void)
{
    divisor = 0;
}

static void on_interrupt(int number)
{
    seen = table[at + number]; // undecided: out-of-bounds
}

static void copy(char *to, const char *from)
{
    for (unsigned i = 0; i < sizeof(void *); i++)
        to[i] = from[i];
}

int main(void)
{
    int x = 1, *value = &x;
    void (*function)(void) = set_zero;
    void (*handler)(int) = on_interrupt;
    struct box box;
    struct sigaction action = {0};
    copy((char *)&action.sa_handler, (const char *)&handler);
    sigaction(SIGINT, &action, 0);
    copy((char *)&box.value, (const char *)&value);
    copy((char *)&box.function, (const char *)&function);
    change(&box);
    return 10 / x // undecided: division-by-zero
           + 10 / divisor; // undecided: division-by-zero
}
