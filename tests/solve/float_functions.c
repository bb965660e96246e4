// Functions of floats that are rounded correctly are computed, not enclosed.
#include <math.h>
extern float nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = nondet_float();
    if (isnan(x))
        return 0;
    if (x >= 1 && x <= 2) {
        float root = sqrtf(x);
        if (root < 1 || root > 1.4142136f)
            __VERIFIER_error(); // unreachable: error-call
        if (root * root > 1.9f && x < 1.89f)
            __VERIFIER_error(); // proved: error-call
    }
    // The rest of a division is exact, and has the sign of the first.
    if (x > 0 && x < 100) {
        float rest = fmodf(x, 3);
        if (rest < 0 || rest > 3)
            __VERIFIER_error(); // unreachable: error-call
        if (rest == 3)
            __VERIFIER_error(); // proved: error-call
        if (x == 31.5f && rest != 1.5f)
            __VERIFIER_error(); // proved: error-call
    }
    // A sum that is rounded once finds what the product lost.
    if (fmaf(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f) != 0x1p-46f)
        __VERIFIER_error(); // unreachable: error-call
    return 0;
}
