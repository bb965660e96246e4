// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdatomic.h>
#include <stdio.h>
int main(void) {
    _Atomic int a = 5; atomic_int b; atomic_init(&b, 3);
    a += 2; a++; int old = atomic_fetch_add(&b, 4), was = atomic_exchange(&b, 100);
    int expect = 100; _Bool ok = atomic_compare_exchange_strong(&b, &expect, 7), no = atomic_compare_exchange_strong(&b, &expect, 8);
    printf("%d %d %d %d %d %d %d\n", a, old, was, ok, no, expect, atomic_load(&b));
    long c = 10; printf("%ld %ld %ld ", __sync_fetch_and_add(&c, 5), __sync_add_and_fetch(&c, 1), __atomic_fetch_or(&c, 32, __ATOMIC_SEQ_CST));
    printf("%ld %d\n", c, __sync_bool_compare_and_swap(&c, 48, 1));
    atomic_flag f = ATOMIC_FLAG_INIT; printf("%d %d\n", atomic_flag_test_and_set(&f), atomic_flag_test_and_set(&f));
    volatile int v = 1; v += v; v++; printf("%d\n", v);
    return 0;
}
