/* A contract that no number keeps.
   run: --function f
   exit: 2 */
//@ requires x >= 2;
//@ requires x <= 1;
double f(double x)
{
    return x + 1;
}
