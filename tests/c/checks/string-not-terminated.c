// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <string.h>

int main(void) {
    char name[4];
    strncpy(name, "Ariadne", sizeof name);
    return strlen(name) > 100; // finds: string-not-terminated
}
