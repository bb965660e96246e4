/* gcc and the front end compute the call: the number has lost what it stands for.
   run: --function f
   shows: no bound, because: a number that is computed while compiling */
#include <math.h>
float f(void)
{
    return fmaxf(0.1f, 0.1f);
}
