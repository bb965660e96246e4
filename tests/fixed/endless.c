/* clew-fixed: fixed ALL=s3.10 range x=0..1 */
// flags: --function first
// no bound: calls itself without an end
// status: 0
double second(double x);
double first(double x) {
    return second(x);
}
double second(double x) {
    return x * second(x);
}
