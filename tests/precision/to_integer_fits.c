/* 2147483647.9 and -2147483648.9 are ints once their fractions are cut off.
   run: --function convert --range x=-2147483648.9..2147483647.9
   hides: no bound */
int convert(double x)
{
    return (int)x;
}
