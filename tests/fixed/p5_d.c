/* CANA
CANA ALL sign 7 8
global x range 0.6 0.8
*/
// P5 of Figure 6a as chained powers, constant multiples exact. Sizes are half of the widths that the paper's table has.
// Best possible to the first order: .04131. Paper: CI .148848, AI .104468, EAI .100454 (widths).
// error r: 0.03079..0.0311
// error r CI: 0.08955..0.08957
// error r AI: 0.04324..0.04325
// error r EAI: 0.06779..0.0678
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
