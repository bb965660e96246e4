// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// inputs: ../paper1/fig3_99.json
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n < 0);
    reach_error();
    return 0;
}
