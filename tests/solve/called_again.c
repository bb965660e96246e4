// The same calls over and over, for the solver: each is walked once, however often it is made.
extern int nondet_int(void);
extern void __VERIFIER_error(void);

static unsigned fib(unsigned n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

static int calls;

// What it leaves in memory counts too: the second call is not the first.
static int counted(int x) {
    calls++;
    return x > 3 ? calls + 1 : calls + 2;
}

int main(void) {
    int n = nondet_int();
    if (n < 0 || n > 20)
        return 0;
    unsigned f = fib(n);
    if (n > 3 && f < n - 1u)
        __VERIFIER_error(); // given: error-call
    int first = counted(n), second = counted(n), third = counted(n);
    if (second != first + 1 || third != first + 2)
        __VERIFIER_error(); // given: error-call
    if (first == second - 1 && n == 7)
        __VERIFIER_error(); // violated: error-call
    return 0;
}
