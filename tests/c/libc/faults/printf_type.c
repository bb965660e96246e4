// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    printf("%d\n", 1.5); // finds: bad-argument
    return 0;
}
