// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies an argument into a buffer without looking at its length.
//
//     clew run examples/greeting.c Theseus             prints a greeting
//     clew run examples/greeting.c Polyphemus-the-Cyclops
//
// finds: out-of-bounds in strcpy, when the argument is long enough
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char name[16];
    strcpy(name, argc > 1 ? argv[1] : "Ariadne");
    printf("Good day, %s.\n", name);
    return 0;
}
