/* The smaller root of x^2 + 1e8 x + 1 by the school formula.
   run: --function root --range a=1..1 --range b=1e8..1e8 --range c=1..1
   reached: relative >= 0.2548
   shows: cancellation */
#include <math.h>
double root(double a, double b, double c)
{
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
}
