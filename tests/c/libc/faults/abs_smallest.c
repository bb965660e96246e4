// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <limits.h>
#include <stdlib.h>
int main(void)
{
    volatile int smallest = INT_MIN;
    int (*volatile magnitude)(int) = abs;
    return magnitude(smallest); // finds: signed-overflow
}
