// A filter that feeds back, over 2,000 samples: the bound is that of the impulse response, and does not grow.
/* clew-fixed: fixed ALL=s4.20 range x=-1..1 */
// flags: --function biquad
// error y[]: 0.000007..0.0000256
// error y[] AI: 0.000007..0.0000256
// reached y[]: 0.000003..0.0000256
// status: 0
double x[2000], y[2000];
void biquad(void) {
    double s1 = 0.0, s2 = 0.0;
    for (int n = 0; n < 2000; n++) {
        double w = x[n] + 1.5 * s1 - 0.7 * s2;
        y[n] = 0.1 * w + 0.2 * s1 + 0.1 * s2;
        s2 = s1;
        s1 = w;
    }
}
