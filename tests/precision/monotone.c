/* Rounding is monotone: the test cannot go wrong on floats, although intervals say so.
   run: --function f --range x=0..10
   shows: `x * x - x >= 0`: stable
   hides: if ways differ */
double f(double x)
{
    if (x * x - x >= 0)
        return x / 10;
    return x * x + 2;
}
