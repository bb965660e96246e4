// SPDX-License-Identifier: MIT OR Apache-2.0
// A setting that is only filled in when it is found, and used in any case. The run goes on with whatever is
// there; clew lists the use at the end.
//
//     clew run examples/settings.c
//     clew run --stop-on uninitialised-read examples/settings.c
//
// finds: uninitialised-read of `width`
#include <stdio.h>
#include <string.h>

static int lookup(const char *name, int *value) {
    if (strcmp(name, "height") == 0) {
        *value = 24;
        return 1;
    }
    return 0;
}

int main(void) {
    int width, height;
    lookup("width", &width);
    lookup("height", &height);
    puts(width > 40 ? "wide" : "narrow");
    return height == 24 ? 0 : 1;
}
