// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
struct point { double x, y; };
struct big { int a[20]; char tag; };
struct nested { struct point p[2]; struct { int k; } in; };
static struct point add(struct point a, struct point b) { a.x += b.x; a.y += b.y; return a; }
static struct big fill(int n) { struct big b = { { 0 }, 'b' }; for (int i = 0; i < 20; i++) b.a[i] = n * i; return b; }
static int sum(struct big b) { int s = b.tag; for (int i = 0; i < 20; i++) s += b.a[i]; b.a[0] = 99; return s; }
static struct nested make(double d) { return (struct nested){ { { d, 1 }, { 2, d } }, { 7 } }; }
int main(void) {
    struct point p = { 1, 2 }, q = add(p, (struct point){ .y = 5 });
    printf("%g %g %g\n", q.x, q.y, add(add(p, q), q).y);
    struct big b = fill(3), c;
    c = b;
    printf("%d %d %d\n", sum(c), c.a[0], fill(2).a[19]);
    struct nested n = make(4.5), *np = &n;
    struct nested m = n.in.k > 3 ? *np : make(1);
    np->p[1] = np->p[0];
    printf("%g %g %g %d\n", n.p[1].x, m.p[1].x, make(3).p[1].y, m.in.k);
    struct point arr[3] = { [1] = { 3, 4 }, [0].y = 8 };
    arr[2] = arr[1];
    printf("%g %g %g\n", arr[0].y, arr[2].x, (arr[1] = add(arr[0], arr[2])).y);
    return 0;
}
