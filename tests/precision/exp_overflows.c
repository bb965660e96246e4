/* exp(710) is beyond the doubles.
   run: --function power --range x=710..710
   shows: no bound, because: the result may overflow */
#include <math.h>
double power(double x)
{
    return exp(x);
}
