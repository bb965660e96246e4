/* CANA
CANA ALL sign 7 8
global x range 0.4 0.6
*/
// P5 of Figure 6a as chained powers, constant multiples exact. Sizes are half of the widths that the paper's table has.
// Best possible to the first order: .02581. Paper: CI .09172, AI .06179, EAI .05763 (widths).
// error r: 0.01945..0.01965
// error r CI: 0.05855..0.05857
// error r AI: 0.02931..0.02933
// error r EAI: 0.04488..0.0449
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
