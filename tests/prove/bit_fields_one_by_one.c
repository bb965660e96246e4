// Bit-fields of one byte, written one by one: each holds what was written to it, and those that were not written are not.
#include <stdlib.h>
struct flags { unsigned ready : 1; unsigned err : 3; unsigned mode : 4; int level : 5; unsigned wide : 20; };

static struct flags global;
static int table[16];

static void set_mode(struct flags *f, unsigned mode) {
    f->mode = mode;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct flags f, g, h;
    int in = __VERIFIER_nondet_int();
    f.ready = in > 1;
    f.err = 0;
    f.level = -3;
    set_mode(&f, in & 7);
    if (f.err != 0)
        return table[16]; // unreachable: out-of-bounds
    int sum = table[f.mode + f.level + 3]; // proved: out-of-bounds
    sum += 10 / (f.level + 2); // proved: division-by-zero
    g.ready = 1;
    if (in > 5)
        g.err = 2;
    sum += g.ready; // proved: uninitialised-read
    sum += g.err; // open: uninitialised-read
    sum += f.wide; // open: uninitialised-read
    h = f;
    sum += h.mode; // proved: uninitialised-read
    struct flags z = {0};
    if (in & 1)
        z.err = 5;
    sum += table[z.err + 10]; // proved: out-of-bounds
    global.mode = in & 1 ? 15 : 3;
    sum += table[global.mode]; // proved: out-of-bounds
    struct flags *either = in & 2 ? &f : &z;
    either->err = 7;
    sum += table[z.err + 9]; // open: out-of-bounds
    *(unsigned char *)&f = in;
    sum += 10 / (f.err + 1); // given: division-by-zero
    sum += 10 / f.ready; // open: division-by-zero
    return sum & 1;
}
