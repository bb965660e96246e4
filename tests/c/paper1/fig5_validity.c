// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
/* Paper 001, Fig. 5: the content of the array decides whether q[*p] lies inside it. */
int foo(int *q, int n) {
  int *p = q, i;
  for (i = 0; i < n; i++, p++)
    if (*p > i) break;
  return q[*p]; // finds: out-of-bounds
}
int main(void) {
  int q[4] = {0, 1, 7, 0};
  return foo(q, 4);
}
