/* A biquad over ten thousand samples: intervals explode, its impulse response does not.
   run: --function biquad --range x=-1..1
   ratio: absolute <= 10 */
double biquad(const double *x)
{
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < 10000; i++) {
        double y = 0.2 * x[i] + 0.3 * x1 + 0.2 * x2 + 1.2 * y1 - 0.6 * y2;
        x2 = x1;
        x1 = x[i];
        y2 = y1;
        y1 = y;
    }
    return y1;
}
