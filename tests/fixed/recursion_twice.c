// A recursion in two places: by summaries it takes as many walks as there are values of `n`, not two to the power of them.
/* clew-fixed: fixed ALL=s3.12 range x=0..1 */
// flags: --function start
// error return: 0.0005..0.0016
// reached return: 0.0002..0.0016
// status: 0
static double series(double x, int n) {
    if (n < 2)
        return x * 0.5;
    return 0.4 * series(x, n - 1) + 0.3 * series(x, n - 2) + x * 0.1;
}
double start(double x) {
    return series(x, 60);
}
