/* Infinity minus infinity: the overflow comes first.
   run: --function nothing --range x=1e200..1e200
   shows: no bound, because: the result may overflow */
double nothing(double x)
{
    return x * x - x * x;
}
