// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 7
// args: -x 3 last.c
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argc == 4 && argv[4] == NULL && strcmp(argv[1], "-x") == 0 ? 7 : 1;
}
