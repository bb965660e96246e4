// SPDX-License-Identifier: MIT OR Apache-2.0
// run: error
// says: complex
#include <complex.h>

int main(void) {
    double _Complex z = 1.0 + 2.0 * I;
    return creal(z * z) > 0;
}
