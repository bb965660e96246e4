/* Newton's square root, eight turns.
   run: --function root --range a=1..4
   ratio: absolute <= 10 */
double root(double a)
{
    double x = a;
    for (int i = 0; i < 8; i++)
        x = 0.5 * (x + a / x);
    return x;
}
