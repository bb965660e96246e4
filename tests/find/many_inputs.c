// status: 0
// A run that needs more inputs than a witness has: it is not told, and nothing is proved instead.
extern int nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    unsigned turns = 0;
    while (nondet_int()) {
        if (turns == 100000)
            __VERIFIER_error(); // open: error-call
        turns++;
    }
    return 0;
}
