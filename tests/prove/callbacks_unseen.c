// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that code elsewhere does not see are not called by it, wherever their addresses are.
#include <unistd.h>

void run(void);
void attach(int *);

static int (*own_hook)(int);
int (*named_hook)(int); // other files see it, libraries do not
static struct {
    int data;
    int (*call)(int);
} own = {0, 0};

static int table[4], last, of_named;

static int unseen(int n)
{
    last = n;
    return table[n]; // proved: out-of-bounds
}

static int named(int n)
{
    of_named = n & 3;
    return table[of_named]; // proved: out-of-bounds
}

int main(void)
{
    int number = 0;
    own_hook = unseen;
    own.call = unseen;
    attach(&number);
    own_hook(2);
    run();
    table[last + 1] = own.call(1); // proved: out-of-bounds
    named_hook = named;
    of_named = 0;
    sleep(1);
    table[of_named + 3] = 1; // proved: out-of-bounds
    run();
    table[of_named + 3] = 1; // undecided: out-of-bounds
    return 0;
}
