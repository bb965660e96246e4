// Fails for two inputs, which are too hard to find.
#include <assert.h>

unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a > 1 && a < b && b < 1ul << 32)
        assert(a * b != 10701074794831162177ul);
    return 0;
}
