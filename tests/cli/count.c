// SPDX-License-Identifier: MIT OR Apache-2.0
#include <stdio.h>

int main(void) {
    int lines = 0;
    for (int c = getchar(); c != EOF; c = getchar())
        lines += c == '\n';
    printf("%d lines\n", lines);
    return 0;
}
