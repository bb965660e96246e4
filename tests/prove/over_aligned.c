// SPDX-License-Identifier: MIT OR Apache-2.0
// A member of a struct behind a pointer asks for the alignment of the struct.
#include <stdlib.h>

struct __attribute__((aligned(32))) wide {
    int x;
    char c;
};
struct usual {
    char c;
    int x;
};

int main(void)
{
    static struct wide one;
    struct wide *p = malloc(sizeof *p), *q = &one;
    struct usual *u = malloc(sizeof *u);
    if (p)
        p->c = 1; // open: misaligned-access
    q->c = 2; // proved: misaligned-access
    if (u)
        u->c = 3; // proved: misaligned-access
    free(p);
    free(u);
    return 0;
}
