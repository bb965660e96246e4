/* Without a range there is a search: near a root of the polynomial nothing is right, and the difference is why.
   run: --find --function distance
   found: found >= 0.1
   shows: cause
   shows: `x * x - 2` */
double distance(double x)
{
    double y = x * x - 2;
    return y * y * y / (1 + x * x);
}
