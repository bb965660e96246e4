/* Ten thousand accumulations of an input.
   run: --function accumulate --range dt=0.0009..0.0011
   ratio: absolute <= 10 */
double accumulate(double dt)
{
    double t = 0;
    for (int i = 0; i < 10000; i++)
        t += dt;
    return t;
}
