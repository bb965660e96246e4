// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    int values[2] = {2, 1};
    qsort(values, 3, sizeof *values, compare); // finds: out-of-bounds
    return 0;
}
