/* The square overflows, though its root does not.
   run: --function magnitude --range x=1e200..1e200
   shows: no bound, because: the result may overflow */
#include <math.h>
double magnitude(double x)
{
    return sqrt(x * x);
}
