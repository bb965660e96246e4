// Numbers that were made from addresses: which numbers they are is not known, and away from their object they may be any.
#include <stdint.h>
extern unsigned long nondet_ulong(void);
extern int nondet_int(void);
extern void __VERIFIER_error(void);

static char buffer[16], other[16];

static int one(void) {
    return 1;
}

static int two(void) {
    return 2;
}

static void by_switch(void) {
    uintptr_t u = (uintptr_t)buffer;
    switch (u) {
    case 0: return;
    case 0x404040: __VERIFIER_error(); // open: error-call
    }
    __VERIFIER_error(); // open: error-call
}

static void far_away(void) {
    uintptr_t u = (uintptr_t)buffer - nondet_ulong();
    if (u == 0)
        __VERIFIER_error(); // open: error-call
    if (!(char *)u)
        __VERIFIER_error(); // open: error-call
    _Bool is_set = (char *)u;
    if (!is_set)
        __VERIFIER_error(); // open: error-call
    *(char *)u = 1; // open: null-deref invalid-deref out-of-bounds
}

static void far_pointer(void) {
    char *p = buffer + nondet_ulong();
    if (!p)
        __VERIFIER_error(); // open: error-call
    *p = 1; // open: null-deref out-of-bounds
}

// From one object to the next.
static void elsewhere(void) {
    uintptr_t from = (uintptr_t)buffer, to = (uintptr_t)other;
    other[0] = 0;
    *(char *)(from + (to - from)) = 1;
    if (other[0])
        __VERIFIER_error(); // open: error-call
}

static void functions(void) {
    if ((uintptr_t)one + nondet_ulong() == (uintptr_t)two)
        __VERIFIER_error(); // open: error-call
}

// Inside their object they are what they were.
static void inside(unsigned i) {
    if (i < 16) {
        uintptr_t u = (uintptr_t)buffer + i;
        if (u == 0)
            __VERIFIER_error(); // unreachable: error-call
        *(char *)u = 1; // proved: null-deref invalid-deref out-of-bounds
    }
}

int main(void) {
    switch (nondet_int()) {
    case 0: by_switch(); break;
    case 1: far_away(); break;
    case 2: far_pointer(); break;
    case 3: elsewhere(); break;
    case 4: functions(); break;
    case 5: inside((unsigned)nondet_int()); break;
    }
    return one() + two();
}
