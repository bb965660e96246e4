// Loops whose turns lead pointers from object to object and write parts of objects: induction follows both.
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern void __VERIFIER_error(void);

struct node {
    unsigned value;
    struct node *next;
};

static struct node first, second, third;

// The highest bit of a number stays where it is in Gray's code: too hard for ranges.
static int is_gray(unsigned x) {
    unsigned code = x ^ (x >> 1);
    return !(x & 0x80000000u) == !(code & 0x80000000u);
}

// A ring whose values are written, and whose links are not.
static void ring(void) {
    struct node *p = &first;
    first.next = &second;
    second.next = &third;
    third.next = &first;
    while (nondet_int()) {
        unsigned x = nondet_uint();
        if (!is_gray(x))
            __VERIFIER_error(); // proved: error-call
        p->value = x;
        p = p->next;
    }
}

// Null or one of two objects; where it is used it is one of them.
static void maybe(void) {
    unsigned a = 1, b = 2, *p = 0;
    while (nondet_int()) {
        if (p && !is_gray(*p))
            __VERIFIER_error(); // proved: error-call
        p = nondet_int() ? &a : nondet_int() ? &b : 0;
        a = nondet_uint();
    }
}

// A member changes; its neighbour does not.
static struct {
    int count;
    unsigned limit;
} shared;

static void members(void) {
    shared.limit = nondet_uint();
    if (!(shared.limit & 1))
        return;
    while (nondet_int()) {
        shared.count = nondet_int();
        if ((shared.limit ^ (shared.limit >> 1) ^ (shared.limit >> 1)) % 2 == 0)
            __VERIFIER_error(); // proved: error-call
    }
}

// A byte of a number is written through another type.
static void by_byte(void) {
    unsigned x = 0;
    unsigned char *low = (unsigned char *)&x;
    while (nondet_int()) {
        if (x > 255 && !is_gray(x))
            __VERIFIER_error(); // unreachable: error-call
        *low = (unsigned char)nondet_uint();
    }
}

int main(void) {
    switch (nondet_int()) {
    case 0: ring(); break;
    case 1: maybe(); break;
    case 2: members(); break;
    case 3: by_byte(); break;
    }
    return 0;
}
