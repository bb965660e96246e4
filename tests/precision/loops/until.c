/* Newton's square root until nothing changes much: the number of turns depends on the input.
   run: --function root --range a=1..4
   shows: no bound, because */
double root(double a)
{
    double x = a, before;
    do {
        before = x;
        x = 0.5 * (x + a / x);
    } while (before - x > 1e-12);
    return x;
}
