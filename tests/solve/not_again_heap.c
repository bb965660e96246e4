// Calls that look the same and are not: what lives elsewhere when they end the program, and addresses.
// flags: --assume malloc-succeeds
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern int nondet_int(void);

static unsigned is_odd_one(unsigned x) {
    return x * 2654435761u == 0x12345677u;
}

static void may_exit(int k) {
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += i & k;
    if (is_odd_one(k))
        exit(s > 100);
}

static void leaves(int x) {
    if (nondet_int() > 0) {
        char *p = malloc(4); // open: memory-leak
        if (is_odd_one(x))
            p = 0;
        may_exit(x);
        free(p);
    } else {
        may_exit(x);
        may_exit(x);
        may_exit(x);
    }
}

static uintptr_t address(int k) {
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += i & k;
    char *p = malloc(10);
    uintptr_t number = (uintptr_t)p;
    free(p);
    return number;
}

static void addresses(int x) {
    address(1);
    uintptr_t a = address(1);
    char *q = malloc(10);
    uintptr_t b = address(1);
    free(q);
    assert(!(is_odd_one(x) && a != b)); // open: assertion
}

int main(void) {
    if (nondet_int())
        leaves(nondet_int());
    else
        addresses(nondet_int());
    return 0;
}
