// SPDX-License-Identifier: MIT OR Apache-2.0
// What proofs rest on: open obligations that may come before, on any way that a machine could go, and no others.
// No main: each function is an entry.
#include <stdlib.h>

int table[10];
int choose(void);

// The first turn is fine: only later ones rest on the index.
int comes_round(int n)
{
    int r = 0;
    for (int i = 0; i < n; i++) {
        r = 100 / (20 - i); // given: division-by-zero
        table[i] = r; // undecided: out-of-bounds
    }
    return r;
}

int dead_thanks_to_a_cut(int i)
{
    if (i < 0) {
        return 0;
    }
    table[i] = 1; // undecided: out-of-bounds
    if (i >= 10) {
        return 100 / (20 - i); // given: division-by-zero
    }
    return 100 / (20 - i); // given: division-by-zero
}

// A way that only runs go that violated something leads to what other runs come to as well.
int joins_again(int y, int i)
{
    int x = 1;
    if (y && i >= 0) {
        table[i] = 1; // undecided: out-of-bounds
        if (i < 10) {
            return 0;
        }
        x = 0;
    }
    return 1 / x; // given: division-by-zero
}

int behind_a_dead_end(int y)
{
    int x = 1;
    if (y) {
        int *p = 0;
        *p = 1; // undecided: null-deref
        x = 0;
    }
    return 1 / x; // given: division-by-zero
}

static int never_negative(int i)
{
    if (i >= 10) {
        return -1;
    }
    return i;
}

// Calls come back to where they were made: what is cut later does not matter here.
int before_the_cut(int i)
{
    int a = never_negative(5);
    int b = 100 / (a + 10); // proved: division-by-zero
    if (i < 0) {
        return 0;
    }
    table[i] = b; // undecided: out-of-bounds
    return 100 / (never_negative(i) + 1); // given: division-by-zero
}

int other_branch(int y, int i)
{
    if (y) {
        table[i] = 1; // undecided: out-of-bounds
        return 0;
    }
    int z = y;
    return 100 / (z + 1); // proved: division-by-zero
}

// Dead for a reason of its own, and in functions that the entries above do not come to.
int dead_anyhow(void)
{
    int x = 1;
    if (x == 2) {
        return 1 / (x - 1); // unreachable: division-by-zero
    }
    return 1 / x; // proved: division-by-zero
}

static void stop_on_error(int ok)
{
    if (!ok) {
        abort();
    }
}

// A function that never returns leads nowhere.
int ends_there(int i)
{
    if (i > 100) {
        int *p = 0;
        *p = 1; // undecided: null-deref
        abort();
    }
    stop_on_error(i > 3);
    return 100 / (i - 3); // proved: division-by-zero
}

// What is lost in the end is lost by runs that were set aside too.
void kept_by_a_cut(int i)
{
    char *p = malloc(1); // given: memory-leak
    if (i >= 0) {
        table[i] = 1; // undecided: out-of-bounds
        if (i >= 10) {
            return;
        }
    }
    free(p);
}

// The inner call has an `x` of its own: the outer one is still 1.
static int again(int n, int *outer);
static int by_another_name(int n, int *outer)
{
    int x = n, d = 1;
    if (outer) {
        x = 5;
        d = *outer;
    }
    if (n > 0) {
        return again(n - 1, &x);
    }
    return 100 / (d - 1) + x; // undecided: division-by-zero
}
static int again(int n, int *outer) __attribute__((alias("by_another_name")));

int recursive_by_alias(void)
{
    return by_another_name(1, 0);
}

// A function that returns early, and by a way through functions that are known to return only later.
static int inner(int n);

static int early(int n)
{
    if (n < 0) {
        return 0;
    }
    return inner(n);
}

static int inner(int n)
{
    if (n > 100) {
        return early(n - 100);
    }
    table[n + 10] = 1; // undecided: out-of-bounds
    return n;
}

int behind_a_call_that_ends(void)
{
    int r = early(5);
    return 100 / (r - r); // given: division-by-zero
}
