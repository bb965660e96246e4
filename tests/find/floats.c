// Floats: between two neighbours of a constant, beyond the largest, into an integer that is too small.
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (f != f || d != d)
        return 0;
    if (f > 3.0f && f < 3.000001f)
        return (int)(1e20f * f); // violated: float-to-int
    if (d > 1e300)
        d = d * 1e10; // violated: float-overflow
    if (f > 1.0f && f < 2.0f)
        return (int)(f * 1000.0f);
    return 0;
}
