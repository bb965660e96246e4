/* clew-fixed: fixed ALL=s5.10 */
// flags: --function f
// status: 2
// says: missing_range.c:6:
// says: the parameter `x` has no range
double f(double x) {
    return x;
}
