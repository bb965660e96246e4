// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 3
#include <complex.h>

double never_called(void) {
    double _Complex z = 1.0 + 2.0 * I;
    return creal(z * z);
}

int main(void) {
    return 3;
}
