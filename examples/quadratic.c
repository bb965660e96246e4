// SPDX-License-Identifier: MIT OR Apache-2.0
// Solves a*x*x + b*x + c = 0 by the formula from school. Large coefficients overflow although the answer would
// not. Floats go on after that, so clew counts what happened and lists it when the program has ended.
//
//     clew run examples/quadratic.c
//     clew run --stop-on float-overflow examples/quadratic.c
//
// finds: float-overflow, and in its wake float-invalid
#include <math.h>
#include <stdio.h>

static double root(double a, double b, double c) {
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
}

int main(void) {
    printf("%g\n", root(1, -3, 2));
    printf("%g\n", root(1e200, -3e200, 2e200));
    return 0;
}
