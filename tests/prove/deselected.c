// SPDX-License-Identifier: MIT OR Apache-2.0
// Proofs do not rest on checks that are not selected where the machine has a value, and name the others.
// flags: --check out-of-bounds
extern int __VERIFIER_nondet_int(void);
static int table[16];

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int above = x + 1;

    table[(x << 4) & 15] = 3; // proved: out-of-bounds
    if (x >= 0 && above >= 0)
        table[above & 15] = 1; // proved: out-of-bounds
    if (x >= 0 && above < 16)
        table[above] = 2; // open: out-of-bounds
    if ((1 << x) != 5)
        table[1 << x] = 4; // open: out-of-bounds
    int q = 100 / x;
    if (x == 0)
        table[q + 99] = 5; // given: out-of-bounds
    return 0;
}
