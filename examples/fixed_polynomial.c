// SPDX-License-Identifier: MIT OR Apache-2.0
// A polynomial with doubles that is to become fixed point: sign, 7 integer bits, 8 fraction bits.
//
//     clew fixed examples/fixed_polynomial.c  what becomes of the error
//     clew fixed --fit 0.01 examples/fixed_polynomial.c  the shortest format that keeps it within 0.01
//
// shows: s1.8
/* clew-fixed: fixed ALL=s7.8 range x=0..0.2 */
double polynomial(double x)
{
    double x2 = x * x, x3 = x2 * x, x4 = x3 * x, x5 = x4 * x;
    return 1.0 - x + 3.0 * x2 - 2.0 * x3 + x4 - 5.0 * x5;
}
