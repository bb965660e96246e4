// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// A jump back inside a scope keeps its objects; a variable-length array is made anew each time.
#include <stdarg.h>
#include <stdio.h>
struct empty {};
static int third(int n, ...) {
    va_list ap;
    va_start(ap, n);
    va_arg(ap, struct empty);
    int first = va_arg(ap, int);
    va_arg(ap, struct empty);
    int second = va_arg(ap, int);
    va_end(ap);
    return first * 10 + second;
}
static int literals(void) {
    int count = 0, *now = 0, *before;
again:
    before = now;
    now = &(int){ count++ };
    if (count < 3) goto again;
    return now == before && *now == 2;
}
static int same_object(void) {
    int *p = 0, turns = 0;
again:;
    int x;
    if (p) return p == &x && turns == 1;
    p = &x;
    turns++;
    goto again;
}
static long many_arrays(void) {
    long sum = 0;
    int n = 0;
again:;
    int x[n % 1000 + 1];
    x[0] = n;
    sum += x[0] + (long)sizeof x;
    if (++n < 20000) goto again;
    return sum;
}
int main(void) {
    struct empty e;
    char *nothing = __builtin_alloca(0);
    printf("%d %d %d %ld %d\n", third(0, e, 4, e, 2), literals(), same_object(), many_arrays(), nothing != 0);
    return 0;
}
