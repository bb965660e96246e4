/* clew-fixed: fixed ALL=s5.10 range x=1..2 range y=-1..4 */
// flags: --function f
// no bound: the divisor may be zero
// status: 1
double f(double x, double y) {
    return x / y; // overflow: confirmed
}
