// Fails for two inputs, which are too hard to find.
#include <assert.h>

unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a > 1 && a < b && b < 1ul << 32)
        assert(a * b != 2147483629ul * 2147483647ul);
    return 0;
}
