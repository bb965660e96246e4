// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
/* Paper 001, Fig. 5: without a precondition q may be null. */
#include <stddef.h>
int foo(int *q, int n) {
  int *p = q, i;
  for (i = 0; i < n; i++, p++)
    if (*p > i) break; // finds: null-deref
  return q[*p];
}
int main(void) {
  return foo(NULL, 4);
}
