/* A float counter sticks at 2^24.
   run: --function count
   shows: 16777216, exactly 16777220 */
float count(void)
{
    float n = 0;
    for (int i = 0; i < 16777220; i++)
        n += 1.0f;
    return n;
}
