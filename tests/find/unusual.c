// Checks that are off by default are looked for where they are asked for, also where nothing else is open.
// flags: --check lossy-conversion,unsigned-wrap
extern int __VERIFIER_nondet_int(void);

static signed char narrow(signed char c) {
    return c + 1; // violated: lossy-conversion
}

static unsigned before(unsigned n) {
    return n - 1; // violated: unsigned-wrap
}

static unsigned guarded(unsigned n) {
    return n > 0 ? n - 1 : 0;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 127)
        return 0;
    return narrow((signed char)x) + (int)before((unsigned)x) + (int)guarded((unsigned)x);
}
