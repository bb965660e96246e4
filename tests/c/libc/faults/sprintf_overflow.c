// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    char text[8];
    sprintf(text, "%d", 123456789); // finds: out-of-bounds
    return text[0];
}
