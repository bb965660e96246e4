// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that headers call by another name ask the same.
// flags: -- -D_FILE_OFFSET_BITS=64
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void files(int n)
{
    char p[4] = {'a', 'b', 'c', 'd'};
    if (n == 1)
        fopen(p, "r"); // open: string-not-terminated
    if (n == 2)
        open(p, O_RDONLY); // open: string-not-terminated
    if (n == 3)
        pread(0, p, 5, 0); // open: out-of-bounds
    pread(0, p, 4, 0); // given: out-of-bounds
}
