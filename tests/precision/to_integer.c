/* From 2147483648.0 on a double is no int.
   run: --function convert --range x=-1e10..1e10
   shows: no bound, because: a conversion to an integer may be out of range */
int convert(double x)
{
    return (int)x;
}
