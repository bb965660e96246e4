// flags: --assume uninitialised-values-stay
// What an uninitialised variable holds may still be anything, and in each turn of a loop something else.
extern int nondet_int(void);
extern void __VERIFIER_error(void);

struct pair {
    int x, y;
};

int main(void) {
    int a, b, *p;
    if (a == 10 && b == 11)
        __VERIFIER_error(); // violated: error-call
    struct pair one, other = one;
    if (other.x == 12 && one.y == 13)
        __VERIFIER_error(); // violated: error-call
    if (p != 0 && p == &a)
        __VERIFIER_error(); // undecided: error-call
    int last = 0;
    for (int i = 0; i < 2; i++) {
        int each;
        if (i == 1 && last != each)
            __VERIFIER_error(); // open: error-call
        last = each;
    }
    return 0;
}
