// What is called like an input, and gets a pointer, may write there.
#include <stddef.h>
extern void __VERIFIER_nondet_memory(void *, size_t);
extern int nondet_fill(int *);
extern int nondet_old();
extern int nondet_int(void);
extern void __VERIFIER_error(void);

struct node {
    struct node *next;
} first = {&first};
static unsigned kept = 5;

static void in_a_loop(void) {
    for (struct node *p = &first; nondet_int(); p = p->next)
        __VERIFIER_nondet_memory(&kept, sizeof kept);
    if (kept != 5)
        __VERIFIER_error(); // undecided: error-call
}

int main(void) {
    unsigned x = 5;
    int y = 5, z = 5;
    __VERIFIER_nondet_memory(&x, sizeof x);
    if (x != 5)
        __VERIFIER_error(); // undecided: error-call
    nondet_fill(&y);
    if (y != 5)
        __VERIFIER_error(); // violated: error-call
    nondet_old(&z);
    if (z != 5)
        __VERIFIER_error(); // undecided: error-call
    in_a_loop();
    return 0;
}
