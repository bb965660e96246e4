// SPDX-License-Identifier: MIT OR Apache-2.0
// The arguments of a program: as many as `argc` says, then a null pointer.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char name[16];

    if (argc > 1)
        puts(argv[1]); // proved: out-of-bounds null-deref use-after-free string-not-terminated
    if (argc == 3) {
        puts(argv[2]);             // proved: out-of-bounds null-deref
        return argv[3] != NULL;    // proved: out-of-bounds
    }
    if (argc > 4)
        return argv[6] != NULL; // open: out-of-bounds
    if (argc > 1)
        strcpy(name, argv[1]); // open: out-of-bounds
    else
        strcpy(name, "Ariadne"); // proved: out-of-bounds write-to-const
    strcpy((char *)"constant", argv[0]); // open: write-to-const
    return 0;
}
