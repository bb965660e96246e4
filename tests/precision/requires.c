/* Ranges come from the contract; what is not understood is said.
   run: --function blend
   shows: x in [0, 1], exact
   shows: y in [-2.5000, 3], exact
   shows: not understood, not used: requires x <= y
   bound: absolute <= 1e-15 */
/*@ requires 0 <= x <= 1 && -2.5 <= y;
  @ requires y <= 3 && x <= y;
  @ ensures \result >= -10; */
double blend(double x, double y)
{
    return x * y + (1 - x) * 0.5;
}
