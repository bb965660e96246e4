// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <string.h>

int main(void) {
    char line[16] = "thread";
    memmove(line + 1, line, 7);
    line[0] = '>';
    return 0;
}
