/* CANA
CANA ALL sign 7 8
global x range 0.2 0.4
*/
// P5 of Figure 6a as chained powers, constant multiples exact. Sizes are half of the widths that the paper's table has.
// Best possible to the first order: .02050. Paper: CI .0599, AI .0406, EAI .0356 (widths); AI and EAI are below the sound minimum .04100.
// error r: 0.01525..0.0154
// error r CI: 0.04059..0.0406
// error r AI: 0.02406..0.02407
// error r EAI: 0.03378..0.0338
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
