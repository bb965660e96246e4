/* run: --function tenths
   shows: 99.9990463
   shows: exactly 100 */
float tenths(void)
{
    float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += 0.1f;
    return sum;
}
