/* The average that no numbers make overflow: the difference is taken of numbers of one sign only.
   run: --function average --range x=-1.7e308..1.7e308 --range y=-1.7e308..1.7e308
   hides: no bound */
double average(double x, double y)
{
    if ((x <= 0) == (y <= 0))
        return x + (y - x) / 2;
    return (x + y) / 2;
}
