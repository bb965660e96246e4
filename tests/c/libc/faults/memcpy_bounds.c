// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char source[32] = "x", *to = malloc(16);
    if (!to)
        return 1;
    memcpy(to, source, 17); // finds: out-of-bounds
    free(to);
    return 0;
}
