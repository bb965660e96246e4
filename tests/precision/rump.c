/* Rump's example: the machine has not even the sign right.
   run: --function rump --range a=77617..77617 --range b=33096..33096
   shows: -1.1805916207174113e21, exactly -0.827396059946821 */
double rump(double a, double b)
{
    double b2 = b * b, b4 = b2 * b2, b6 = b4 * b2, b8 = b4 * b4, a2 = a * a;
    return 333.75 * b6 + a2 * (11 * a2 * b2 - b6 - 121 * b4 - 2) + 5.5 * b8 + a / (2 * b);
}
