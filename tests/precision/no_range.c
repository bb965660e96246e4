/* Without a range there is no bound, and it says what would help; the search still finds what is wrong.
   run: --function difference
   shows: no bound, because: the result may overflow; --range would help for x
   reached: relative >= 0.1 */
double difference(double x)
{
    return (x + 1) * (x + 1) - x * x;
}
