// A pointer that lost cases behind a check is made a number there. On other paths that number means what it meant.
#include <stdint.h>
#include <stdlib.h>
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern void __VERIFIER_error(void);

static int a, small, big[2];
static uintptr_t kept;

// True for one number only.
static int is_rare(void) {
    return nondet_uint() * 2654435761u == 0x13572468u;
}

static void null(void) {
    uintptr_t x = (uintptr_t)&a;
    int rare = is_rare();
    int *p = rare ? 0 : &a;
    if (!rare) {
        *p = 1;
        kept = (uintptr_t)p;
    }
    int *q = (int *)x;
    if (rare && q == &a)
        __VERIFIER_error(); // violated: error-call
}

static void too_small(void) {
    uintptr_t x = (uintptr_t)big;
    int rare = is_rare();
    int *p = rare ? &small : big;
    if (!rare) {
        p[1] = 1;
        kept = (uintptr_t)p;
    }
    int *q = (int *)x;
    if (rare && q == big)
        __VERIFIER_error(); // violated: error-call
}

static void freed(void) {
    int *m = malloc(sizeof *m), *p = 0;
    if (!m)
        return;
    uintptr_t x = (uintptr_t)m;
    int rare = is_rare();
    if (!rare) {
        p = m;
        *p = 1;
        kept = (uintptr_t)p;
    }
    free((int *)x);
    if (rare)
        *m = 3; // violated: use-after-free
}

union either {
    int *pointer;
    uintptr_t number;
};

static void in_a_union(void) {
    union either one, other;
    one.pointer = &a;
    uintptr_t x = one.number;
    int rare = is_rare();
    int *p = rare ? 0 : &a;
    if (!rare) {
        *p = 1;
        other.pointer = p;
        kept = other.number;
    }
    int *q = (int *)x;
    if (rare && q == &a)
        __VERIFIER_error(); // violated: error-call
}

static void in_a_loop(void) {
    uintptr_t x = (uintptr_t)&a;
    int *p = &a;
    while (nondet_int()) {
        if (p) {
            *p = 1;
            kept = (uintptr_t)p;
        }
        int *q = (int *)x;
        if (!p && q == &a && is_rare())
            __VERIFIER_error(); // violated: error-call
        p = nondet_int() ? &a : 0;
    }
}

int main(void) {
    switch (nondet_int()) {
    case 0: null(); break;
    case 1: too_small(); break;
    case 2: freed(); break;
    case 3: in_a_union(); break;
    case 4: in_a_loop(); break;
    }
    return kept != 0;
}
