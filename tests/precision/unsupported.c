/* What cannot be followed is said.
   run: --function f --range x=0..1
   shows: no bound, because: a call of `elsewhere`, of which no file has the body */
double elsewhere(double x);
double f(double x)
{
    return elsewhere(x) + 1;
}
