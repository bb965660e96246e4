// Holds for all inputs, and the built-in solver says so.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    assert((a & b) + (a | b) == a + b);
    return 0;
}
