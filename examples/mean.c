// SPDX-License-Identifier: MIT OR Apache-2.0
// The mean of no numbers. An integer division by zero kills the program; with floats it would go on with NaN.
//
//     clew run examples/mean.c 4 5 6        prints 5
//     clew run examples/mean.c
//
// finds: division-by-zero, when there are no arguments
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int total = 0;
    for (int i = 1; i < argc; i++)
        total += atoi(argv[i]);
    printf("%d\n", total / (argc - 1));
    return 0;
}
