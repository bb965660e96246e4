// SPDX-License-Identifier: MIT OR Apache-2.0
// An array that no declaration gives a length has one element.
extern int __VERIFIER_nondet_int(void);
int one[];
int later[];
int later[3];
int main(void) {
    one[0] = 1;
    later[2] = one[0];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2) return 0;
    return later[n] + one[n]; // violated: out-of-bounds
}
