/* clew-fixed: fixed ALL=s3.10 range x=0.5..1 */
// The number of turns depends on the input: both ways are followed at each turn.
// flags: --function halve
// error y: 0.0004..0.7
// status: 0
double halve(double x) {
    double y = x;
    while (y > 0.2)
        y = y * 0.5;
    return y;
}
