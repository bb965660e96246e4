/* x + (y - x) / 2 overflows at the ends, though the average is 0.
   run: --function average --range x=-1.7976931348623157e308..-1.7976931348623157e308 --range y=1.7976931348623157e308..1.7976931348623157e308
   shows: no bound, because: the result may overflow */
double average(double x, double y)
{
    return x + (y - x) / 2;
}
