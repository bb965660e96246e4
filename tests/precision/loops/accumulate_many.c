/* Ten thousand different numbers.
   run: --function total --range a=0..1
   ratio: absolute <= 10 */
double total(const double *a)
{
    double sum = 0;
    for (int i = 0; i < 10000; i++)
        sum += a[i];
    return sum;
}
