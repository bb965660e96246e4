// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    char word[4];
    sscanf("abcdef", "%s", word); // finds: out-of-bounds
    return word[0];
}
