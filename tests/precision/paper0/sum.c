/* Paper 000, Tables II and III: the sum of N unknown positive ints, stable up to 10 %.
   The sum is halved at last: the literal and the product round, and so do the conversion of an int and N additions.
   These are the N + 3 roundings that reproduce every decided cell of Table III. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int __clew_stable(double x, double threshold);
#ifndef N
#define N 5
#endif

int main(void)
{
    float sum = 0.0f;
    for (int i = 0; i < N; i++) {
        int a = __VERIFIER_nondet_int();
        __VERIFIER_assume(a > 0);
        sum = sum + (float)a;
    }
    float half = sum * 0.5f;
    __clew_stable(half, 0.1);
    return 0;
}
