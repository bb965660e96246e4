// SPDX-License-Identifier: MIT OR Apache-2.0
// What library functions ask of arguments, where the sanitizers see it only at the end or not at all.
// flags: --no-replay
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b > 0; }

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    char *p = NULL, b[4];
    switch (__VERIFIER_nondet_int()) {
    case 1:
        return div(x, y).rem; // violated: division-by-zero signed-overflow
    case 2:
        return (int)ldiv(x, y).rem; // violated: division-by-zero
    case 3:
        return (int)imaxdiv(INTMAX_MIN, y).rem; // violated: division-by-zero signed-overflow
    case 4:
        return atexit(0); // violated: bad-argument
    case 5:
        return x == 0 ? strncmp(p, "a", (size_t)x) : 0; // violated: null-deref
    case 6:
        strncpy(x == 1 ? p : b, "a", 0); // violated: null-deref
        return 0;
    case 7:
        qsort(x == 1 ? (void *)p : b, 0, 4, compare); // violated: null-deref
        return 0;
    case 8:
        return memcmp(b, x == 1 ? p : b, 0); // violated: null-deref
    }
    return 0;
}
