/* clew-fixed: fixed ALL=s7.80 range x=0..1 */
// status: 2
// says: too_long.c:1:16
// says: at most 40 digits
double f(double x) {
    return x * x;
}
