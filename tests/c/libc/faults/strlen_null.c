// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    const char *volatile nothing = 0;
    return (int)strlen(nothing); // finds: null-deref
}
