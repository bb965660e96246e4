/* run: --function versine --range x=1e-8..1e-8
   shows: 0, exactly 0.5
   first cancellation: `1 - cos(x)` */
#include <math.h>
double versine(double x)
{
    return (1 - cos(x)) / (x * x);
}
