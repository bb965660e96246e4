/* run: --function average --range x=1e308..1.7e308 --range y=1e308..1.7e308
   shows: no bound, because: the result may overflow */
double average(double x, double y)
{
    return (x + y) / 2;
}
