// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdio.h>
int main(void)
{
    char buffer[4];
    FILE *file = tmpfile();
    fputs("0123456789", file);
    rewind(file);
    fread(buffer, 1, 8, file); // finds: out-of-bounds
    fclose(file);
    return 0;
}
