/* The program itself gives the range.
   run: --function f
   shows: x in [1, 2]
   hides: no bound */
void __VERIFIER_assume(int);
double f(double x)
{
    __VERIFIER_assume(x >= 1 && x <= 2);
    return x * x;
}
