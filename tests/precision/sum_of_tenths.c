/* run: --function tenths
   shows: 0.9999999999999999, exactly 1 */
double tenths(void)
{
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 0.1;
    return sum;
}
