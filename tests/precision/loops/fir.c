/* Five taps over the last samples.
   run: --function fir --range x=-1..1
   ratio: absolute <= 10 */
static const double h[5] = {0.1, 0.2, 0.4, 0.2, 0.1};
double fir(const double *x)
{
    double y = 0;
    for (int i = 0; i < 5; i++)
        y += h[i] * x[i];
    return y;
}
