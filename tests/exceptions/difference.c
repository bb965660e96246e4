// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers that differ have a difference: no division by zero, but an overflow.
double inverse_difference(double x, double y)
{
    if (x != y)
        return 1.0 / (x - y);
    return 0.0;
}
