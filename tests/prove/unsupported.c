// SPDX-License-Identifier: MIT OR Apache-2.0
// What the analysis does not understand leaves open what may come after it, and no more.
#include <setjmp.h>
#include <signal.h>

static jmp_buf env;
static int shared = 1;

int only_behind(int x)
{
    int a = 10 / ((x & 7) + 1); // proved: division-by-zero
    if (x > 5) {
        a += setjmp(env);
        return 10 / ((x & 7) + 1); // undecided: division-by-zero
    }
    int b = 10 / ((x & 3) + 1); // proved: division-by-zero
    return a + b;
}

static int twice(int x)
{
    return 10 / ((x & 7) + 1); // undecided: division-by-zero
}

int called_before_and_after(int x)
{
    int a = twice(x);
    if (x == 1) {
        setjmp(env);
    }
    return a + twice(x + 1);
}

int comes_round(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++) {
        r = 10 / ((i & 7) + 1); // undecided: division-by-zero
        if (i == 3) {
            setjmp(env);
        }
    }
    return r;
}

static void handler(int number)
{
    shared = 10 / ((number & 7) + 1); // undecided: division-by-zero
}

int with_a_handler(void)
{
    int a = 10 / shared; // undecided: division-by-zero
    signal(SIGINT, handler);
    return a;
}

void apply(int (*function)(int), int times);

// Called by code that is not here while it runs: the whole entry is given up, and no other.
int calls_itself_from_outside(int x)
{
    apply(calls_itself_from_outside, 3);
    return 10 / ((x & 7) + 1); // undecided: division-by-zero
}

int not_concerned(int x)
{
    return 10 / ((x & 7) + 1); // proved: division-by-zero
}
