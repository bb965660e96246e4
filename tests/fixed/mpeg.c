/* clew-fixed: fixed ALL=s17.8 range exps=0..30 */
// A fragment of the kind that section 6 names (the paper does not print its own): inverse quantisation with a scale and an
// offset, clamped, as reference decoders have it.
// flags: --function dequantise
// error value: 0.2239..0.229
// reached value: 0.2239..0.229
// status: 0
double dequantise(double exps) {
    static const double matrix[4] = {8.0, 16.0, 19.0, 22.0};
    double value = 0.0;
    for (int i = 0; i < 4; i++)
        value = value + (2.0 * exps + 1.0) * matrix[i] * 1.7 / 16.0;
    if (value > 2047.0)
        value = 2047.0;
    if (value < -2048.0)
        value = -2048.0;
    return value;
}
