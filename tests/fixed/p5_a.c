/* CANA
CANA ALL sign 7 8
global x range 0 0.2
*/
// P5 of Figure 6a as chained powers, constant multiples exact. Sizes are half of the widths that the paper's table has.
// Best possible to the first order: .02344. Paper: CI .04373, AI .0377, EAI .03232 (widths); the three are below the sound minimum .04688.
// error r: 0.009545..0.00965
// error r CI: 0.03012..0.03013
// error r AI: 0.02411..0.02412
// error r EAI: 0.02776..0.02777
// status: 0
double x;
int main(void) {
    double x2, x3, x4, x5, r;
    x2 = x * x;
    x3 = x2 * x;
    x4 = x3 * x;
    x5 = x4 * x;
    r = 1.0 - x;
    r = r + 3.0 * x2;
    r = r - 2.0 * x3;
    r = r + x4;
    r = r - 5.0 * x5;
    return r > 0.0;
}
