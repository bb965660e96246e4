// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
int main(void)
{
    int values[2] = {2, 1};
    int (*volatile compare)(const void *, const void *) = 0;
    qsort(values, 2, sizeof *values, compare); // finds: bad-argument
    return 0;
}
