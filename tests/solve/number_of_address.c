// Away from its object a number that was made from an address may be any, for the solver too.
#include <stdint.h>
extern unsigned long nondet_ulong(void);
extern int nondet_int(void);
extern void __VERIFIER_error(void);

static char x[4];

int main(void) {
    int c = nondet_int();
    char *q = c ? x : 0;
    uintptr_t u = (uintptr_t)q - nondet_ulong();
    _Bool is_set = (char *)u;
    if (!is_set && c)
        __VERIFIER_error(); // open: error-call
    char *p = q + nondet_ulong();
    if (!p && c)
        __VERIFIER_error(); // open: error-call
    return 0;
}
