/* The root of -0 is no fault, that of the next number below is.
   run: --function root --range x=-4.9e-324..-4.9e-324
   shows: no bound, because: a square root of what may be negative */
#include <math.h>
double root(double x)
{
    return sqrt(x);
}
