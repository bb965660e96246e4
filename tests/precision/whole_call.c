/* The sine of a rounded multiple of pi: the call is the cause, not its argument.
   run: --find --function wave --range x=1..100
   found: found >= 0.1
   shows: `sin(3.14159265358979323846 * x)` */
#include <math.h>
double wave(double x)
{
    return sin(3.14159265358979323846 * x);
}
