// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
/* Paper 001, Fig. 15: f1 needs five elements, and its test for null does not help. */
#include <stddef.h>
int f1(int *p) {
  int *q = p;
  if (q != NULL)
    return q[4];
  return 0;
}
int f2(int *p, int *r, int c) {
  int *q;
  if (c) q = p;
  else q = r;
  return *q;
}
int main(void) {
  int four[5] = {0};
  return f2(four, NULL, 1) + f1(NULL) + f1(four);
}
