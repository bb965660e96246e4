// SPDX-License-Identifier: MIT OR Apache-2.0
// What is said of parts of arrays, and when it ceases to be so.

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int *pointers[100];
int numbers[100];

struct in {
    int x, y, z;
};
struct out {
    struct in in[2];
    int last;
} outs[10];

// Elements point to a local whose life ends on every turn: it is not the one of the next turn.
static void ended(int n)
{
    for (int i = 0; i < n; i++) {
        int x = i;
        pointers[i] = &x;
        int k = __VERIFIER_nondet_int();
        if (k >= 1 && k <= i)
            numbers[i] = *pointers[k]; // open: use-after-free
    }
}

// The struct inside is not as long as a part of the one outside: its `z` may be the `x` of another one.
static void another_grid(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            outs[i].in[j].x = 7;
    struct in *p = (struct in *)outs;
    p[__VERIFIER_nondet_uint() & 15].z = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            numbers[0] = 1 / (outs[i].in[j].x - 1); // open: division-by-zero
}

static void fill(int n)
{
    for (int i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_int();
}

// What a call writes may be within what was known before: it is written nevertheless.
static void rewritten_by_a_call(int n)
{
    fill(100);
    int y = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        numbers[i] = y;
    fill(n);
    for (int i = 1; i < n; i++)
        outs[0].last = 1 / (numbers[i] == y); // open: division-by-zero
}

// Characters may be copied before they are written; the copies are no more written than they are.
static int copied(unsigned char *to)
{
    unsigned char from[8];
    to[0] = from[0];
    return to[0] == 1; // open: uninitialised-read
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 8 || n > 10)
        return 0;
    ended(n);
    another_grid(n);
    rewritten_by_a_call(n);
    unsigned char bytes[8];
    return copied(bytes);
}
