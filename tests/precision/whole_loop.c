/* A series that stops by a tolerance: no bound, but the sum of large terms that nearly cancel is found.
   run: --function exponential
   shows: no bound, because
   found: found >= 0.001 */
double exponential(double x)
{
    if (x < -30 || x > 30)
        return 0;
    double term = 1, sum = 1;
    for (int n = 1; term > 1e-20 || term < -1e-20; n++) {
        term *= x / n;
        sum += term;
    }
    return sum;
}
