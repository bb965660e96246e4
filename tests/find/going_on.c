// SPDX-License-Identifier: MIT OR Apache-2.0
// After a violation for which the machine has a value the run goes on with it: what comes behind is found, too.
extern int __VERIFIER_nondet_int(void);

struct filter {
    short gain;
    int last;
};

static int table[16];

static int scaled(struct filter *f, int sample)
{
    f->last = sample << f->gain; // violated: shift-out-of-range
    return f->last;
}

static void store(int at, int value)
{
    table[at] = value; // violated: out-of-bounds
}

int main(void)
{
    struct filter f = { 4, 0 };
    int first = scaled(&f, -1);
    int sum = 2147483647;

    if (__VERIFIER_nondet_int() == 76) {
        store(first + 8, 1);
    }
    if (__VERIFIER_nondet_int() == 77) {
        sum += 1; // violated: signed-overflow
        table[(sum >> 28) & 15] = 100 / (sum + 2147483647 + 1); // violated: division-by-zero
    }
    return 1 << first; // violated: shift-out-of-range
}
