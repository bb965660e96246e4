/* clew-fixed: fixed ALL=s3.10 range x=0..1 */
// A recursion that a known integer ends is unfolded; one without an end is named.
// flags: --function power
// error return: 0.0005..0.005
// status: 0
static double times(double x, int n) {
    if (n == 0)
        return 1.0;
    return x * times(x, n - 1);
}
double power(double x) {
    return times(x, 5);
}
