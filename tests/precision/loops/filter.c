/* A recursive filter over ten thousand samples: intervals explode, its impulse response does not.
   run: --function filter --range x=-1..1
   bound: absolute <= 5e-14 */
double filter(const double *x)
{
    double y1 = 0, y2 = 0;
    for (int i = 0; i < 10000; i++) {
        double y = 1.5 * y1 - 0.7 * y2 + x[i];
        y2 = y1;
        y1 = y;
    }
    return y1;
}
