/* clew-fixed: fixed ALL=s1.6 range x=0..1 overflow saturate */
// What saturation cuts off is part of the error.
// flags: --function f
// error y: 1.0..1.1
// status: 1
double f(double x) {
    double y = x * 3.0; // overflow: confirmed
    return y;
}
