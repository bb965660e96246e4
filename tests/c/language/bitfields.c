// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
struct mixed { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 31; long long d : 40; _Bool e : 1; char f; signed char g : 2; };
union both { struct { unsigned lo : 16, hi : 16; }; unsigned all; };
static struct mixed table[2] = { { 5, -3, 123456789u, -99999999LL, 1, 'x', -2 }, { .c = 7, .d = 1LL << 38 } };
int main(void) {
    struct mixed m = { .b = -16, .d = -1 };
    m.a = 9; /* keeps 1 */
    printf("%u %d %u %lld %d\n", m.a, m.b, m.c, (long long)m.d, m.e);
    int v = (m.b = 17);
    printf("%d %d ", v, m.b); printf("%d\n", m.b++);
    m.a += 7; m.c--; m.e = 4; m.g = 1; m.g++;
    printf("%u %u %d %d\n", m.a, m.c, m.e, m.g);
    for (int i = 0; i < 2; i++)
        printf("%u %d %u %lld %d %d %d\n", table[i].a, table[i].b, table[i].c, (long long)table[i].d, table[i].e, table[i].f, table[i].g);
    union both u = { .all = 0xdeadbeef };
    u.lo ^= 0xffff; u.hi = u.lo;
    printf("%x %zu %zu\n", u.all, sizeof(struct mixed), sizeof u);
    struct mixed copy = m, *p = &copy; p->d /= 2; p->b *= 2;
    printf("%lld %d\n", (long long)p->d, p->b);
    return 0;
}
