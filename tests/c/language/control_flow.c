// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stdio.h>
static int duff(const char *from, char *to, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    return n;
}
static const char *range(int x) {
    switch (x) {
        int hidden;
    case -5 ... -1: return "negative";
    case 0: hidden = 3; return hidden == 3 ? "zero" : "?";
    case 1 ... 9: { int inner = x * 2; if (inner > 10) goto big; return "small"; }
    default: return "other";
    big: return "big";
    }
}
static int jumps(int n) {
    int total = 0;
again:
    {
        int local = n * 2;
        if (n-- > 0) { total += local; if (total > 20) goto out; goto again; }
    }
out:
    for (int i = 0;; i++) {
        if (i == 2) continue;
        if (i > 5) break;
        int j = 0;
        while (1) { if (++j > i) break; total += j; }
        do { total++; if (total % 7 == 0) continue; } while (total % 5);
    }
    return total;
}
static int interpret(const unsigned char *code) {
    static const void *const ops[] = { &&halt, &&push, &&add, &&mul };
    int stack[8], sp = 0;
    goto *ops[*code];
push: stack[sp++] = *++code; goto *ops[*++code];
add:  sp--; stack[sp - 1] += stack[sp]; goto *ops[*++code];
mul:  sp--; stack[sp - 1] *= stack[sp]; goto *ops[*++code];
halt: return stack[0];
}
static int forward(int x) {
    if (x) goto in;
    for (x = 0; x < 3; x++) {
        int y;
    in: y = x + 10;
        if (y > 14) return y;
        x += 2;
    }
    return -1;
}
static int backwards(int n) {
    int total = 0;
    goto start;
first: total += 1;
second: total += 10;
    if (total > 40) return total;
start: if (n-- > 0) goto first;
    goto second;
}
static int distances(int x) {
    static const int table[] = { &&one - &&zero, &&two - &&zero };
    int c = 0;
    goto *(&&zero + table[x]);
one: c += 2;
two: c++;
zero: return c;
}
static unsigned long long wide(unsigned long long v) { switch (v) { case 0xffffffffffffffffull: return 1; case 1ull << 63: return 2; } return 3; }
int main(void) {
    char buf[12] = { 0 };
    duff("hello world", buf, 11);
    puts(buf);
    for (int i = -6; i < 12; i += 3) printf("%s ", range(i));
    printf("%d %d %d %d\n", jumps(3), jumps(0), jumps(9), forward(1));
    const unsigned char code[] = { 1, 6, 1, 7, 3, 1, 2, 2, 0 };
    printf("%d %llu %llu %llu\n", interpret(code), wide(-1), wide(1ull << 63), wide(5));
    printf("%d %d %d\n", backwards(2), distances(0), distances(1));
    return 0;
}
