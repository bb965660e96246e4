// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that code elsewhere calls through a pointer that it has been handed, at once or later.
#include <stdlib.h>

struct operations {
    void (*run)(int);
};

int input(void);

static int table[4];

// Only a pointer in a table that everybody sees leads here.
static void in_table(int n)
{
    table[n] = 1; // undecided: out-of-bounds
}
const struct operations operations = {in_table};

static void stored(int n)
{
    table[n] = 1; // undecided: out-of-bounds
}

void store(struct operations *place)
{
    place->run = stored;
}

static void returned(int n)
{
    table[n] = 1; // undecided: out-of-bounds
}

void (*get(void))(int)
{
    return returned;
}

__attribute__((constructor)) static void by_itself(void)
{
    table[input()] = 1; // undecided: out-of-bounds
}

// Sorting forgets what it was given.
static int compare(const void *one, const void *other)
{
    int left = *(const int *)one, right = *(const int *)other; // proved: null-deref out-of-bounds
    return (left > right) - (left < right);
}

void sort(void)
{
    int numbers[4] = {4, 2, 3, 1};
    qsort(numbers, 4, sizeof numbers[0], compare);
}

static void never(void)
{
    table[4] = 1; // unreachable: out-of-bounds
}

int no_call(void)
{
    return sizeof(&never);
}
