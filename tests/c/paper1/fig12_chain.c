// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// args: 9223372036854775807
/* Paper 001, Fig. 12: a pointer that may be null is handed down a chain of calls, and used at its end. The size is
   an argument, so that malloc really fails. */
#include <stdlib.h>
void f5(int *p) { *p = 10; } // finds: null-deref
void f4(int *p) { f5(p); }
void f3(int *p) { f4(p); }
void f2(int *p) { f3(p); }
void f1(int *p) { f2(p); }
void f0(size_t n) { int *p = malloc(n); f1(p); free(p); }
int main(int argc, char **argv) { f0(argc > 1 ? strtoul(argv[1], NULL, 10) : 40); return 0; }
