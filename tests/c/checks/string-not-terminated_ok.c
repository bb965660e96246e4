// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <string.h>

int main(void) {
    char name[4];
    strncpy(name, "Ariadne", sizeof name - 1);
    name[sizeof name - 1] = '\0';
    return strlen(name) > 100;
}
