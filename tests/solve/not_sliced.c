// Loops that look as if they had nothing to do with what comes after them.
#include <stdlib.h>
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern void __VERIFIER_error(void);

struct node {
    unsigned value;
    struct node *next;
};

static struct node first, second;
static int table[4];
static unsigned counter;

// True for one number only.
static unsigned is_odd_one(unsigned x) {
    return x * 2654435761u == 0x12345677u;
}

static struct node *around(void) {
    struct node *p = &first;
    while (nondet_int())
        p = p->next;
    return p;
}

// Writes through a pointer to what matters.
static void by_pointer(void) {
    unsigned x = 5, *q = &x;
    struct node *p = &first;
    while (nondet_int()) {
        *q = p->value;
        p = p->next;
    }
    if (is_odd_one(x))
        table[x | 4] = 1; // open: out-of-bounds
}

// Writes what matters in a function that it calls.
static void count(void) {
    counter++;
}

static void by_call(void) {
    counter = 0;
    for (struct node *p = &first; nondet_int(); p = p->next)
        count();
    if (counter == 3)
        table[counter + 1] = 1; // violated: out-of-bounds
}

// Changes what a later branch reads, in a loop in a loop.
static void by_flag(unsigned x) {
    int flag = 0;
    for (struct node *p = &first; nondet_int(); p = p->next) {
        while (nondet_int())
            flag = p->value == 7;
    }
    if (flag && is_odd_one(x))
        table[x | 4] = 1; // violated: out-of-bounds
}

// Ends the program, so that what follows never happens: no run shows it.
static void by_exit(int n) {
    struct node *p = &first;
    counter = nondet_uint();
    for (int i = 0; i < n; i++) {
        if (counter == 100)
            exit(0);
        p = p->next;
    }
    if (n > 0 && counter == 100)
        table[n | 4] = 1; // given: out-of-bounds
}

// Has obligations itself.
static void by_itself(void) {
    struct node *p = &first;
    for (unsigned i = 0; nondet_int(); i++) {
        if (i == 3000000000u)
            __VERIFIER_error(); // undecided: error-call
        p = p->next;
    }
}

// Reads inputs before those that matter.
static void by_input(void) {
    unsigned y;
    struct node *p = &first;
    do {
        y = nondet_uint();
        p = p->next;
    } while (y & 1);
    if (is_odd_one(nondet_uint()))
        __VERIFIER_error(); // violated: error-call
}

// Writes something, or nothing.
static int by_chance(void) {
    int t;
    struct node *p = &first;
    while (nondet_int()) {
        t = 1;
        p = p->next;
    }
    return t; // violated: uninitialised-read
}

// Leads elsewhere.
static void by_target(void) {
    int other[8] = {0}, *q = other;
    for (struct node *p = &first; nondet_int(); p = p->next)
        q = table;
    q[6] = 1; // violated: out-of-bounds
}

// Is entered in its middle.
static void by_goto(int n) {
    unsigned x = 1;
    struct node *p = &first;
    if (n == 3)
        goto middle;
    while (nondet_int()) {
        x = 0;
    middle:
        p = p->next;
    }
    if (x == 0)
        __VERIFIER_error(); // violated: error-call
}

// Loses what was allocated, at the end of the program.
static void by_leak(int n) {
    char *kept = malloc(3); // open: memory-leak
    for (struct node *p = &first; nondet_int(); p = p->next) {
        if (n == 12345)
            exit(0);
    }
    free(kept);
}

int main(void) {
    int n = nondet_int();
    first.next = &second;
    second.next = &first;
    first.value = nondet_uint();
    second.value = nondet_uint();
    around();
    switch (nondet_int()) {
    case 0: by_pointer(); break;
    case 1: by_call(); break;
    case 2: by_flag(nondet_uint()); break;
    case 3: by_exit(n); break;
    case 4: by_itself(); break;
    case 5: by_input(); break;
    case 6: n = by_chance(); break;
    case 7: by_target(); break;
    case 8: by_goto(n); break;
    case 9: by_leak(n); break;
    }
    return 0;
}
