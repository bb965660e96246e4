/* run: --function quotient --range t=0..999
   bound: absolute <= 1.68e-16
   reached: absolute >= 1.6e-16 */
double quotient(double t)
{
    return t / (t + 1);
}
