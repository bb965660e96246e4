// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// Designators: what later ones take back from those before, and what is evaluated at all, in which order.
#include <stdio.h>
struct I { int u, v; };
struct P { struct I a, b; int c; };
static int n; static int f(void){ printf("f"); return ++n; } static int g(void){ printf("g"); return 100+ ++n; }
static struct I w(void){ printf("w"); return (struct I){7,8}; }
union U { int i; char c; struct I s; };
static struct I t1[3] = {[0 ... 2] = {1, 2}, [1] = {.u = 5}};
static struct P t2 = {.b.v = 3, .b = {1}, .a = (struct I){4, 5}, .a.u = 6};
static union U t3[2] = {{.s.v = 5, .i = 1}, {.i = 7, .s.v = 2}};
int main(void) {
  struct I r1[3] = {[0 ... 1].u = 1, 2};
  struct I r2[3] = {[0 ... 1] = 1, 2, 3};
  struct I r3[3] = {[0 ... 2] = {f(), g()}};
  struct I r4[3] = {[0 ... 2] = {f(), g()}, [1].u = 9};
  struct I r5[3] = {[0 ... 2] = {n, 4}, [1].u = 9};
  struct I r6[3] = {[0 ... 2] = {3, 4}, [1].u = 9};
  struct I r7[3] = {[0 ... 2] = w(), [1].u = 9};
  struct P p1 = {.b = w(), .b.u = 3};
  struct P p2 = {.b = f(), .a = g()};
  struct P p3 = {.c = f(), .a.v = g(), .a.u = f()};
  union U u1[2] = {{.s.v = 5, .s.u = 3}, {.s.v = 4, .i = 1}};
  char t[8] = {"abcdef", };
  struct { char a[6]; int k; } s1 = {.a = "abcd", .a[1] = 'x', .k=1}, s2 = {.a[4] = 'z', .a = "ab"}, s3 = {.a = {"hello"}, .a = {[1] = 'q'}};
#define P(r) for (int i = 0; i < 3; i++) printf(" %d %d", r[i].u, r[i].v); puts("");
  puts(""); P(r1) P(r2) P(r3) P(r4) P(r5) P(r6) P(r7)
  printf("%d %d %d %d %d\n", p1.a.u,p1.a.v,p1.b.u,p1.b.v,p1.c);
  printf("%d %d %d %d %d\n", p2.a.u,p2.a.v,p2.b.u,p2.b.v,p2.c);
  printf("%d %d %d %d %d\n", p3.a.u,p3.a.v,p3.b.u,p3.b.v,p3.c);
  printf("%d %d %d\n", u1[0].s.u, u1[0].s.v, u1[1].i);
  printf("%s %s %s %s %d\n", t, s1.a, s2.a, s3.a+1, s2.a[4]);
  P(t1)
  printf("%d %d %d %d %d\n", t2.a.u, t2.a.v, t2.b.u, t2.b.v, t2.c);
  printf("%d %d %d %d\n", t3[0].s.u, t3[0].s.v, t3[1].s.u, t3[1].s.v);
  struct P *q = &(struct P){.b.v = 3, .c = 9, .b = {1}};
  printf("%d %d %d\n", q->b.u, q->b.v, q->c);
}
