// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    FILE *file = tmpfile();
    fclose(file);
    return fclose(file); // finds: use-after-free
}
