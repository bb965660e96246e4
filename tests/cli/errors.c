// SPDX-License-Identifier: MIT OR Apache-2.0
#define TWICE(x) (2 * (x))
#define QUAD(x) TWICE(TWICE(x))

struct point { int x, y; };

int f(struct point *p) {
    int total = p->z;
    return QUAD(total + missing);
}

char *g(void) {
    int n = "seven";
    return n;
}
