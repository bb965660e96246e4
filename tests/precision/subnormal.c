/* Errors of subnormal results are no larger than their bounds.
   run: --function tiny --range x=-740..-740
   bound: absolute <= 5e-324
   hides: 2.075e-322 */
#include <math.h>
double tiny(double x)
{
    return exp(x);
}
