/* run: --function f --range x=-1..1
   shows: no bound, because: the divisor may be zero */
double f(double x)
{
    return 1 / x;
}
