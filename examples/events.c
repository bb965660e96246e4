// SPDX-License-Identifier: MIT OR Apache-2.0
// A table of handlers with a gap, and a dispatcher that does not look.
//
//     clew run examples/events.c
//
// finds: null-call in `dispatch`
#include <stdio.h>

typedef void (*handler)(int);

static void on_key(int code) { printf("key %d\n", code); }
static void on_mouse(int code) { printf("mouse %d\n", code); }

static const handler handlers[4] = {[0] = on_key, [3] = on_mouse};

static void dispatch(int event, int code) {
    handlers[event](code);
}

int main(void) {
    dispatch(0, 65);
    dispatch(3, 1);
    dispatch(1, 7);
    return 0;
}
