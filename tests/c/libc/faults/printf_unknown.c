// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    printf("%y\n", 1); // finds: bad-argument
    return 0;
}
