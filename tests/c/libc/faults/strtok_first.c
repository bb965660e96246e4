// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>
int main(void)
{
    return strtok(0, ",") != 0; // finds: bad-argument
}
