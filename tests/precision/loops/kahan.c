/* Kahan's sum of a thousand numbers.
   run: --function kahan --range a=0..1
   ratio: absolute <= 10 */
double kahan(const double *a)
{
    double sum = 0, lost = 0;
    for (int i = 0; i < 1000; i++) {
        double y = a[i] - lost;
        double t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}
