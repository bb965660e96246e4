/* Relative error by relative forms: results span 150 orders of magnitude.
   run: --function horner --range x=0.1..1000 --range a=0.1..1000
   bound: relative <= 1.2e-14
   reached: relative >= 1e-16 */
double horner(double x, const double *a)
{
    double sum = a[50];
    for (int i = 49; i >= 0; i--)
        sum = sum * x + a[i];
    return sum;
}
