// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4), *volatile q = p;
    free(p);
    free(q); // finds: double-free
    return 0;
}
