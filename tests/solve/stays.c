// flags: --assume uninitialised-values-stay
// An uninitialised variable is an input then: what is read twice is the same.
extern int nondet_int(void);
extern void __VERIFIER_error(void);

struct pair {
    int x, y;
};

static void copies(void) {
    struct pair one, other = one;
    if (other.x != one.x)
        __VERIFIER_error(); // proved: error-call
    int many[100];
    if (many[50] - many[50] != 0)
        __VERIFIER_error(); // proved: error-call
}

static void pointers(void) {
    int a, b, *p;
    if (a == 7)
        p = &b;
    if (a == 7 && p != &b)
        __VERIFIER_error(); // proved: error-call
}

int main(void) {
    int a;
    if (a == 10 && a != 10) // violated: uninitialised-read
        __VERIFIER_error(); // proved: error-call
    copies();
    pointers();
    while (nondet_int())
        if ((a & 1) + (a >> 1) * 2 != a)
            __VERIFIER_error(); // proved: error-call
    return 0;
}
