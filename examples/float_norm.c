// SPDX-License-Identifier: MIT OR Apache-2.0
// The length of a vector. The squares overflow and underflow although the length may be representable: `hypot` does better.
//
//     clew check --check float examples/float_norm.c
//
// finds: float-overflow
#include <math.h>

double length(double x, double y)
{
    return sqrt(x * x + y * y);
}
