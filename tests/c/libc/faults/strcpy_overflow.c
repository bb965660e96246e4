// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    char small[4];
    strcpy(small, "too long"); // finds: out-of-bounds
    return small[0];
}
