/* The root of -0 is -0, and no fault.
   run: --function root --range x=-0.0..-0.0
   bound: absolute <= 0 */
#include <math.h>
double root(double x)
{
    return sqrt(x);
}
