// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
static int g, log_[40], n;
static int at(int v) { log_[n++] = v; return v; }
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int set(int v) { g = v; return v; }
static int arr[10];
static int *slot(int i) { at(50 + i); return &arr[i]; }
struct s { int a, b; };
int main(void) {
    int r = three(at(1), at(2), at(3));
    r += at(4) + at(5) * at(6);
    *slot(1) = at(7);
    *slot(2) += at(8);
    arr[at(3)] = arr[at(4)] + at(9);
    g = 1; r += g + set(5);
    g = 1; r += set(6) + g;
    g = 1; g += set(7);
    r += (at(0) && at(1)) + (at(2) || at(3)) + (at(0) ? at(4) : at(5));
    struct s v = { at(11), at(12) };
    int x = 3; x = (x++, x * 2); int y = (x = 5, x + 1);
    int list[] = { at(21), at(22), at(23) };
    for (int i = 0; i < n; i++) printf("%d ", log_[i]);
    printf("| %d %d %d %d %d %d\n", r, g, v.b, x, y, list[1]);
    return 0;
}
