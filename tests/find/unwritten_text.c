// SPDX-License-Identifier: MIT OR Apache-2.0
// A text whose end is overwritten: what `strlen` reads behind it was never written, and what is assumed of library reads is no proof.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char from[8], to[8];
    for (int i = 0; i < 7; i++)
        from[i] = __VERIFIER_nondet_char();
    from[7] = 0;
    strcpy(to, from);
    to[strlen(to)] = 'x';
    return strlen(to) > 3; // violated: uninitialised-read string-not-terminated
}
