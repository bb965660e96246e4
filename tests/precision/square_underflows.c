/* The square underflows to the zero that is divided by.
   run: --function inverse --range x=1e-200..1e-200
   shows: no bound, because: the divisor may be zero */
double inverse(double x)
{
    return 1 / (x * x);
}
