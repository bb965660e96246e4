// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdarg.h>
#include <stdio.h>
struct pair { int a, b; }; struct wide { double d[3]; };
static double total(const char *kinds, ...) {
    va_list ap, again; double t = 0;
    va_start(ap, kinds); va_copy(again, ap);
    for (const char *k = kinds; *k; k++) switch (*k) {
        case 'i': t += va_arg(ap, int); break;
        case 'l': t += va_arg(ap, long); break;
        case 'd': t += va_arg(ap, double); break;
        case 'L': t += va_arg(ap, long double); break;
        case 'p': { struct pair p = va_arg(ap, struct pair); t += p.a * p.b; break; }
        case 'w': t += va_arg(ap, struct wide).d[2]; break;
        case 's': t += va_arg(ap, char *)[0]; break;
    }
    va_end(ap);
    if (*kinds == 'i') t += 1000 * va_arg(again, int);
    va_end(again);
    return t;
}
static void say(FILE *f, const char *fmt, ...) { va_list ap; va_start(ap, fmt); vfprintf(f, fmt, ap); va_end(ap); }
static int deep(va_list *ap) { return va_arg(*ap, int) + va_arg(*ap, int); }
static int outer(int n, ...) { va_list ap; va_start(ap, n); int r = deep(&ap) * va_arg(ap, int); va_end(ap); return r; }
int old(a, b, f) int a; char b; float f; { return a + b + (int)(f * 2); }
int noproto();
int main(void) {
    struct pair p = { 3, 4 }; struct wide w = { { 1, 2, 3 } };
    printf("%g\n", total("ilds", 1, 2L, 3.5, "A"));
    printf("%g\n", total("Lpwiiiiiii", 1.5L, p, w, 1, 2, 3, 4, 5, 6, 7));
    printf("%g\n", total("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    say(stdout, "%s %d %c %5.2f|%-6d|%06x|%+d|%#o\n", "text", 42, 'c', 3.14159, 7, 255, 5, 8);
    printf("%d %d %d\n", outer(0, 3, 4, 5), old(1, 'a', 2.5f), noproto(1, 2));
    return 0;
}
int noproto(int a, int b) { return a * 10 + b; }
