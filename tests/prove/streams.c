// SPDX-License-Identifier: MIT OR Apache-2.0
// The standard streams can be closed, too.
#include <stdio.h>

int input(void);

int main(void)
{
    int byte = fgetc(stdin); // proved: use-after-free
    if (input())
        fclose(stdin);
    fputs("text", stdout);      // proved: use-after-free
    return byte + fgetc(stdin); // open: use-after-free
}
