/* CANA
CANA ALL sign 7 8
global x range 0 0.2
*/
// Sin of Figure 6b: x - x^3/6 + x^5/120 - x^7/5040 + x^9/362880, chained powers. Paper (widths): real .00647, CI .0204, AI .02035, EAI .01759;
// its EAI is below what is sound.
// error r CI: 0.010217..0.010218
// error r EAI: 0.010197..0.010199
// error r: 0.0032..0.0034
// status: 0
double x;
int main(void) {
    double p, r;
    r = x;
    p = x * x * x;
    r = r - p / 6.0;
    p = p * x * x;
    r = r + p / 120.0;
    p = p * x * x;
    r = r - p / 5040.0;
    p = p * x * x;
    r = r + p / 362880.0;
    return r > 0.0;
}
