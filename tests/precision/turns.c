/* Ten steps of a tenth in the reals, eleven on the machine.
   run: --function turns
   shows: if ways differ             1           1    1.00
   shows: `t < 1`: unstable */
int turns(void)
{
    int n = 0;
    for (double t = 0; t < 1; t += .1)
        n++;
    return n;
}
