// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// inputs: fig3_101.json
/* Paper 001, Fig. 3, with N = 101 let through: a pointer loop over an array of 24-byte structures. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
typedef struct { int a, b; double d; char c[8]; } str_t;
static void initStrct(str_t *s, int v) {
  s->a = v; // finds: out-of-bounds
  s->b = v; s->d = 0.0; s->c[0] = 0;
}
void foo(int N) {
  str_t ptr[100];
  str_t *tmp;
  __VERIFIER_assume(0 < N && N <= 101);
  for (tmp = ptr; tmp < ptr + N; ++tmp)
    initStrct(tmp, N);
}
int main(void) { foo(__VERIFIER_nondet_int()); return 0; }
