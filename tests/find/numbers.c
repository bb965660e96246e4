// Numbers that a program asks for: edges of types, constants of the source, comparisons that lead the way.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int narrow(int x) {
    int table[10] = {0};
    if (x > 12345678 && x < 12345690)
        return table[x - 12345678]; // violated: out-of-bounds
    return 0;
}

static int product(int x, int y) {
    if (x >= 3 && y >= 1000 && x + 1 == y - 997)
        return 100 / (x - 70000); // violated: division-by-zero
    return 0;
}

static int chosen(unsigned u) {
    switch (u) {
    case 4711:
        return 1 << (u - 4680); // violated: shift-out-of-range
    default:
        return 0;
    }
}

static int safe(unsigned char c) {
    int table[256] = {0};
    return table[c] + 1000 / (c + 1);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (y > 2000000000 || y < -2000000000 || x > 2000000000)
        return 0;
    return narrow(x) + product(x, y) + chosen(__VERIFIER_nondet_uint()) + safe(__VERIFIER_nondet_uchar()); // violated: signed-overflow
}
