// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
static void show128(__int128 v) { printf("%016llx%016llx ", (unsigned long long)(v >> 64), (unsigned long long)v); }
int main(void) {
    signed char c = 127; c++; unsigned char u = 0; u--; short s = -32768; s--; _Bool b = 5; b--; b--;
    printf("%d %u %d %d\n", c, u, s, b);
    unsigned x = 3000000000u; int y = (int)x; long l = x; printf("%d %ld %u\n", y, l, (unsigned)-1 / 7);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("%d %u %d\n", -8 >> 1, 0xf0000000u >> 28, 1 << 30);
    __int128 big = (__int128)INT64_MAX * INT64_MAX; unsigned __int128 ub = ~(unsigned __int128)0;
    show128(big); show128(big / 12345); show128(big % 977); show128(-big >> 3); show128(ub / 3); show128(ub * ub); puts("");
    int r; long lr; unsigned char ur; signed char sr;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r)); printf("%d ", r);
    printf("%d ", __builtin_mul_overflow(1L << 40, 1L << 30, &lr)); printf("%ld ", lr);
    printf("%d ", __builtin_sub_overflow(3u, 5u, &ur)); printf("%d ", ur);
    printf("%d ", __builtin_add_overflow(100, 27, &sr)); printf("%d ", sr);
    printf("%d %d\n", __builtin_add_overflow_p(1, 1, (char)0), __builtin_mul_overflow_p(1u << 31, 2, 0u));
    enum e { A = -1, B = 5, C } e = C; enum f { BIGGEST = 0xffffffffu } f = BIGGEST; printf("%d %u %zu\n", e, (unsigned)f, sizeof e);
    unsigned long long acc = 1; for (int i = 0; i < 100; i++) { acc = acc * 6364136223846793005ull + 1442695040888963407ull; acc ^= acc >> 33; acc = acc << 7 | acc >> 57; }
    printf("%llu %d\n", acc, (int)(acc % 1000) - 500);
    int i = 5; i += 3.7; i -= 'a'; i *= -1; i <<= 2; i |= 1; i ^= 0xff; i %= 100; printf("%d\n", i);
    short sh = 10; sh *= 1000; sh /= 3; sh += 40000; printf("%d\n", sh);
    unsigned char a = 200, d = 100; printf("%d %d %d\n", a + d, (unsigned char)(a + d), ~a);
    printf("%d %d %d\n", sizeof(int) > -1, -1 < 1u, (char)200 < 0);
    printf("%ld %d\n", (long)&((int *)0)[3], (int)(intptr_t)(void *)42);
    return 0;
}
