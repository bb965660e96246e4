/* exp(-746) is less than half the least double.
   run: --function tiny --range x=-746..-746
   bound: absolute <= 5e-324
   shows: reached at x = -746 (-0x1.75p+9): 0, exactly 0 */
#include <math.h>
double tiny(double x)
{
    return exp(x);
}
