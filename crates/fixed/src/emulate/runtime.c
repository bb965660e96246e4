/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fixed point in exact integers: a number is a fraction, m / d, with the format it is in. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef __int128 big;
typedef struct { char is, sign; short integer, fraction, base; char rounding, saturates; } fmt;
typedef struct { big m, d; fmt f; } num;

static fmt all_format;

static big power(int base, int n) { big p = 1; while (n-- > 0) p *= base; return p; }
static big gcd(big a, big b) { if (a < 0) a = -a; while (b) { big r = a % b; a = b; b = r; } return a ? a : 1; }
static num reduced(big m, big d, fmt f) {
    if (d < 0) { m = -m; d = -d; }
    big g = gcd(m, d);
    return (num){m / g, d / g, f};
}
static num constant(big m, big d) { return reduced(m, d, (fmt){0}); }

static void show(big x) {
    char text[48]; int n = 0, minus = x < 0;
    unsigned __int128 u = minus ? -(unsigned __int128)x : (unsigned __int128)x;
    do text[n++] = '0' + (int)(u % 10); while (u /= 10);
    if (minus) putchar('-');
    while (n) putchar(text[--n]);
}

/* floor(m * s / d), rounded as the mode says; 0 half up, 1 half even, 2 down, 3 towards zero */
static big rounded(big m, big d, big s, int mode) {
    big top = m * s, q = top / d, r = top % d;
    if (r < 0) { r += d; q--; }
    if (mode == 0) return q + (r >= d - r);
    if (mode == 1) return q + (r > d - r || (r == d - r && (q & 1)));
    if (mode == 3) return q + (q < 0 && r != 0);
    return q;
}

static num onto(num x, fmt f) {
    big s = power(f.base, f.fraction);
    return reduced(rounded(x.m, x.d, s, f.rounding), s, f);
}

static num fit(num x, fmt f, unsigned long long site) {
    big s = power(f.base, f.fraction), size = power(f.base, f.integer + f.fraction);
    big low = !f.sign ? 0 : f.base == 2 ? -size : 1 - size, high = size - 1;
    big u = x.m * s;
    if (u < low * x.d || u > high * x.d) {
        printf("overflow %llu ", site); show(x.m); putchar(' '); show(x.d); putchar('\n');
        fflush(stdout);
        exit(1);
    }
    x.f = f;
    return x;
}

/* An integer of the source that has to fit its type. */
static big watch(big x, big low, big high, unsigned long long site) {
    if (x < low || x > high) {
        printf("overflow %llu ", site); show(x); printf(" 1\n");
        fflush(stdout);
        exit(1);
    }
    return x;
}

static num convert(num x, fmt f, unsigned long long site) { return fit(onto(x, f), f, site); }

static fmt joined(fmt a, fmt b) {
    if (!a.is) return b.is ? b : all_format;
    if (!b.is) return a;
    fmt w = b.fraction > a.fraction ? b : a;
    w.sign = a.sign || b.sign;
    w.integer = a.integer > b.integer ? a.integer : b.integer;
    w.fraction = a.fraction > b.fraction ? a.fraction : b.fraction;
    return w;
}

static num raw(int op, num a, num b) {
    switch (op) {
    case '+': return reduced(a.m * b.d + b.m * a.d, a.d * b.d, (fmt){0});
    case '-': return reduced(a.m * b.d - b.m * a.d, a.d * b.d, (fmt){0});
    case '*': return reduced(a.m * b.m, a.d * b.d, (fmt){0});
    default:
        if (b.m == 0) { puts("division by zero"); exit(2); }
        return reduced(a.m * b.d, a.d * b.m, (fmt){0});
    }
}

static num operate(int op, num a, num b, unsigned long long site) {
    if (!a.f.is && !b.f.is) return raw(op, a, b);
    fmt f = joined(a.f, b.f);
    if (!a.f.is) a = onto(a, f);
    if (!b.f.is) b = onto(b, f);
    return convert(raw(op, a, b), f, site);
}

static int compare(num a, num b) {
    if (a.f.is || b.f.is) {
        fmt f = joined(a.f, b.f);
        if (!a.f.is) a = onto(a, f);
        if (!b.f.is) b = onto(b, f);
    }
    big x = a.m * b.d, y = b.m * a.d;
    return (x > y) - (x < y);
}

static num absolute(num a) { if (a.m < 0) a.m = -a.m; return a; }

static num root(num a, unsigned long long site) {
    fmt f = a.f.is ? a.f : all_format;
    a = onto(a, f);
    if (a.m < 0) { puts("root of a negative number"); exit(2); }
    big s = power(f.base, f.fraction), u = a.m * s * s / a.d, r = 0;
    for (big bit = (big)1 << 62; bit; bit >>= 1) if ((r + bit) * (r + bit) <= u) r += bit;
    if (f.rounding < 2 && u - r * r > r) r++;
    return fit(reduced(r, s, f), f, site);
}
