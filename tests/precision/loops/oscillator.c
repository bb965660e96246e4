/* Euler's method on a harmonic oscillator, a hundred steps.
   run: --function oscillate --range x=-1..1 --range v=-1..1
   ratio: absolute <= 10 */
double oscillate(double x, double v)
{
    for (int i = 0; i < 100; i++) {
        double a = -x;
        x = x + 0.01 * v;
        v = v + 0.01 * a;
    }
    return x;
}
