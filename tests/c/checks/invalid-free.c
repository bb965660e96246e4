// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(16);
    if (line == NULL)
        return 0;
    strcpy(line, "  text");
    while (*line == ' ')
        line++;
    free(line); // finds: invalid-free
    return 0;
}
