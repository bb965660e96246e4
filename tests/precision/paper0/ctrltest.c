/* Paper 000, section I-A: the sign of a quotient whose divisor cancels.
   The products are stable, the divisor and the quotient are not.
   run: --function main
   exit: 1
   shows: `a1 * b2`  stable, relative width at most 7.153e-7
   shows: `a2 * b1`  stable, relative width at most 7.153e-7
   shows: `a1 * b2 - a2 * b1`  unstable, in [-9.6216e8, 9.6216e8]
   shows: `x`  unstable, with status -Inf and Inf
   shows: to nearest 0.343465805
   shows: downwards -inf, upwards
   shows: towards zero inf, fused 0.5435635
   shows: exactly -46099201 */
int __clew_stable(double x, double threshold);

int main(void)
{
    float a1 = 37639840.0f, a2 = 29180479.0f, b1 = -46099201.0f, b2 = -35738642.0f;
    float c1 = 0.0f, c2 = 1.0f;
    __clew_stable(a1 * b2, 0.001);
    __clew_stable(a2 * b1, 0.001);
    __clew_stable(a1 * b2 - a2 * b1, 0.001);
    float x = (c1 * b2 - c2 * b1) / (a1 * b2 - a2 * b1);
    __clew_stable(x, 0.001);
    return x >= 0.0f;
}
