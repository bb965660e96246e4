// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <limits.h>

static int to_cents(double euros) {
    double cents = euros * 100;
    if (!(cents > -2147483649.0 && cents < 2147483648.0))
        return INT_MAX;
    return (int)cents;
}

int main(void) {
    return to_cents(3e7) == 0;
}
