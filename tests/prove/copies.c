// SPDX-License-Identifier: MIT OR Apache-2.0
// A copy of a character that was never written was never written either.
#include <stdlib.h>

static int copied(void) {
    char from[2], to[2];
    to[0] = from[0];
    return to[0] == 3; // open: uninitialised-read
}

static int copied_by_pointers(int n) {
    char from[4], to[4];
    for (int i = 0; i < n; i++)
        from[i] = 'x';
    char *p = to;
    for (const char *q = from; q < from + 4; q++)
        *p++ = *q;
    return to[3] == 3; // open: uninitialised-read
}

static int written(void) {
    char from[2], to[2];
    from[0] = (char)rand();
    to[0] = from[0];
    return to[0] == 3; // proved: uninitialised-read
}

int main(void) {
    int sum = written();
    switch (rand()) {
    case 0:
        return sum + copied();
    case 1:
        return sum + copied_by_pointers(3);
    }
    return sum;
}
