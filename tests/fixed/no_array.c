/* clew-fixed: fixed ALL=s7.8 range x[3]=0..1 */
// status: 2
// says: no_array.c:1:31
// says: `x` is one number
double f(double x) {
    return x * x;
}
