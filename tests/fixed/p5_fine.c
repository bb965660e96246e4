/* CANA
CANA ALL sign 7 20
global x range 0.6 0.8
*/
// P5 with too many inputs to look at each: boxes and mean values. Best possible to the first order: .04131 * 2^-12 = 1.00864e-5.
// error r: 0.0000075..0.0000110
// error r CI: 0.0000218..0.0000219
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
