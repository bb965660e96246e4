/* clew-fixed: fixed ALL=s4.6 range x=-1..1 */
// Rounding may turn the test: the machine takes one branch, the reals the other, and the error is the distance of the two.
// The paper follows each branch for itself and would say 0.0157.
// error z: 0.546..0.6
// reached z: 0.5..0.6
// error y: 0.0243..0.034
// status: 0
double sat(double v) {
    if (v > 0.5)
        return 0.5;
    if (v < -0.5)
        return -0.5;
    return v;
}
double entry(double x) {
    double y = sat(x * x * 1.3);
    double z = 0.0;
    if (x * x > 0.3) // test: parts
        z = x;
    else
        z = 2.0 * x;
    return y + z;
}
// flags: --function entry
