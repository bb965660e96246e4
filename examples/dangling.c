// SPDX-License-Identifier: MIT OR Apache-2.0
// Returns the address of a local variable. It often works, until another call uses the same stack.
//
//     clew run examples/dangling.c
//
// finds: use-after-free of the stack object `text`
#include <stdio.h>

static const char *number(int n) {
    char text[12];
    snprintf(text, sizeof text, "%d", n);
    const char *result = text;
    return result;
}

int main(void) {
    const char *n = number(42);
    putchar(n[0]);
    putchar('\n');
    return 0;
}
