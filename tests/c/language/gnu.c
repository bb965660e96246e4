// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
#include <string.h>
#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
static int calls;
static int once(int v) { calls++; return v; }
static void done(int *p) { printf("done %d\n", *p); }
static int guarded(int x) {
    __attribute__((cleanup(done))) int a = x;
    for (int i = 0; i < 2; i++) { __attribute__((cleanup(done))) int b = i + 10; if (i == x) continue; if (x == 7) goto out; a++; }
    return a;
out: return a * 100;
}
__attribute__((constructor)) static void before(void) { puts("before main"); }
__attribute__((destructor)) static void after(void) { puts("after main"); }
struct flex { int n; char data[]; };
static struct flex fixed = { 3, "abc" };
static int vla(int n) { int a[n][n + 1]; int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i * j; int (*p)[n + 1] = a + 1; for (int j = 0; j <= n; j++) s += (*p)[j]; return s + (int)sizeof a + (int)sizeof a[0] + (int)((char *)&a[n] - (char *)a); }
static int param(int n, int a[n][n]) { return a[n - 1][n - 1]; }
#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "string", default: "other")
static __thread int per_thread = 5;
extern int other_name(int) __asm__("real_name");
int real_name(int x) { return x + 1; }
static int weak_one(void) __attribute__((weakref("missing_symbol_xyz")));
int main(void) {
    printf("%d %d\n", max(once(3), once(2)), calls);
    printf("%d %d\n", once(5) ?: once(6), calls);
    printf("%d %d\n", once(0) ?: once(6), calls);
    char *s = (char *)0; printf("%s\n", s ?: "null");
    printf("%d\n%d\n", guarded(0), guarded(7));
    printf("%d %s %zu\n", fixed.n, fixed.data, sizeof fixed);
    int m[2][2] = { { 1, 2 }, { 3, 4 } };
    printf("%d %d %d\n", vla(4), param(2, m), (int)sizeof(int[vla(2)]));
    printf("%s %s %s %s %s\n", kind(1), kind(1u), kind(1.0), kind((char *)0), kind(1L));
    per_thread += 2;
    printf("%d %d %d\n", per_thread, other_name(4), (int)__builtin_choose_expr(1, 3, "x"));
    int *cl = (int[]){ 1, 2, 3 }; for (int i = 0; i < 3; i++) { int *q = &(int){ i }; cl[i] += *q; }
    printf("%d %d\n", cl[2], ((struct { int a, b; }){ .b = 9 }).b);
    char *stack = __builtin_alloca(16); strcpy(stack, "on the stack"); puts(stack);
    printf("%d %d %d %d\n", __builtin_clz(1), __builtin_ctzll(8), __builtin_popcount(255), __builtin_ffs(0));
    printf("%x %llx %d\n", __builtin_bswap32(0x12345678), __builtin_bswap64(1), __builtin_parity(7));
    printf("%d\n", __builtin_types_compatible_p(int, signed) + (weak_one == 0));
    return 0;
}
