// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
int main(void)
{
    volatile int base = 1;
    return (int)strtol("1", 0, base); // finds: bad-argument
}
