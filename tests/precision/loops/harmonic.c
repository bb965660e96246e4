/* The harmonic sum, forwards.
   run: --function harmonic
   ratio: absolute <= 10 */
double harmonic(void)
{
    double sum = 0;
    for (int i = 1; i <= 10000; i++)
        sum += 1.0 / i;
    return sum;
}
