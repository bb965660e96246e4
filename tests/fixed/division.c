/* clew-fixed: fixed ALL=s5.10 range x=1..2 range y=0.5..4 round half-even */
// flags: --function f
// error q: 0.001..0.0062
// error r: 0.0005..0.0016
// status: 0
#include <math.h>
double f(double x, double y) {
    double q = x / y;
    double r = sqrt(x + 1.0);
    return q + r;
}
