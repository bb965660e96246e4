// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// args: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b
/* Paper 001, Fig. 2: the inner loop steps c onto the terminator, which is copied, and the outer c++ jumps over it. */
#include <string.h>
static void inputFiltering(char *fName) {
  char buf[256] = "", *c = fName;
  char *b = buf;
  for (; *c != 0; c++) { // finds: out-of-bounds
    while (*c == '/') c++;
    *b++ = *c;
  }
  strncpy(fName, buf, 255);
}
int main(int argc, char *argv[]) {
  if (argc > 1) {
    char fName[256] = "";
    strncpy(fName, argv[1], 255);
    inputFiltering(fName);
  }
  return 0;
}
