// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    const char *volatile nothing = 0;
    printf("%s\n", nothing); // finds: null-deref
    return 0;
}
