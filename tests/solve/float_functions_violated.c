// Inputs for which functions of floats give just this.
#include <math.h>
extern float nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = nondet_float(), y = nondet_float(), z = nondet_float();
    if (isnan(x) || isnan(y) || isnan(z))
        return 0;
    if (x >= 1 && x <= 2 && sqrtf(x) == 1.3125f)
        __VERIFIER_error(); // violated: error-call
    if (x > 0 && x < 100 && fmodf(x, 3) == 2.75f)
        __VERIFIER_error(); // violated: error-call
    if (x > 1 && x < 2 && fmaf(x, x, -(x * x)) == 0x1p-30f)
        __VERIFIER_error(); // violated: error-call
    fmaf(x, y, z); // violated: float-overflow float-invalid
    return 0;
}
