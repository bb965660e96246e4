// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4), *volatile q = p;
    free(p);
    p = realloc(q, 8); // finds: double-free
    free(p);
    return 0;
}
