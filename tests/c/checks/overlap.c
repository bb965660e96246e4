// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>

int main(void) {
    char line[16] = "thread";
    memcpy(line + 1, line, 7); // finds: overlap
    line[0] = '>';
    return 0;
}
