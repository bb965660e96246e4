/* 2^24 + 1 is no float.
   run: --function convert
   shows: absolute                   1           1    1.00 */
float convert(void)
{
    int n = 16777217;
    return (float)n;
}
