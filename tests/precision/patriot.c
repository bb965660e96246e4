/* The Patriot's clock: tenths of a second, cut to 23 bits after the point, for 100 hours.
   run: --function clock
   shows: exactly 0.3433 */
double clock(void)
{
    double lost = 0.1 - 838860.0 / 8388608.0;
    return lost * 3600000.0;
}
