// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
int main(void)
{
    int local = 0;
    int *volatile pointer = &local;
    free(pointer); // finds: invalid-free
    return 0;
}
