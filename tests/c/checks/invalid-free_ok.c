// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(16);
    if (line == NULL)
        return 0;
    strcpy(line, "  text");
    char *start = line;
    while (*start == ' ')
        start++;
    free(line);
    return 0;
}
