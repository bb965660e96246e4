/* Kahan's correction is what rounding lost.
   run: --function kahan --range a=0..1
   bound: absolute <= 5e-14 */
double kahan(const double *a)
{
    double sum = 0, lost = 0;
    for (int i = 0; i < 100; i++) {
        double y = a[i] - lost;
        double t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}
