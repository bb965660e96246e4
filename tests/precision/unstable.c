/* At 3 the machine has 0.30000000000000004 on the left.
   run: --function f --range x=0..5
   shows: `x * 0.1 > 0.3`: unstable at x =
   shows: if ways differ */
double f(double x)
{
    if (x * 0.1 > 0.3)
        return 1 + x;
    return x;
}
