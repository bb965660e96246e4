/* run: --function growth --range x=1e-12..1e-3
   shows: hint:
   shows: log1p(x) for log(1 + x) */
#include <math.h>
double growth(double x)
{
    return log(1 + x);
}
