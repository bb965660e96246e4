/* CANA
CANA ALL sign 7 8
global x range 0.4 0.6
*/
// Sin of Figure 6b: x - x^3/6 + x^5/120 - x^7/5040 + x^9/362880, chained powers. Paper (widths): real .01049, CI .02139, AI .02029, EAI .01749;
// its EAI is below what is sound.
// error r CI: 0.010686..0.010688
// error r EAI: 0.010197..0.0102
// error r: 0.0032..0.0055
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
