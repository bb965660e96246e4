// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int v; };
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static op pick(char c) { return c == '+' ? add : &sub; }
static op table[] = { add, sub, [3] = add };
static int apply(int f(int, int), int a, int b) { return (*f)(a, b) + (****f)(b, a); }
static char *words[] = { "one", "two", "three", 0 };
static int grid[3][4] = { { 1 }, { [2] = 5 }, { 9, 8, 7, 6 } };
static int *into = &grid[1][2], *past = grid[2] + 4;
static struct { char *name; size_t at; } fields[] = { { "v", offsetof(struct node, v) } };
int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 5; i++) { struct node *n = malloc(sizeof *n); *n = (struct node){ list, i * i }; list = n; }
    int s = 0; for (struct node *n = list; n; n = n->next) s = s * 3 + n->v;
    while (list) { struct node *n = list->next; free(list); list = n; }
    printf("%d %d %d %d\n", s, pick('+')(3, 4), pick('-')(3, 4), apply(sub, 9, 2));
    printf("%d %d %p\n", table[3](1, 2), table[2] == 0, (void *)table[2]);
    for (char **w = words; *w; w++) printf("%s:%zu ", *w, strlen(*w));
    printf("%d %d %td %zu\n", *into, past[-1], past - into, fields[0].at);
    int a[] = { 5, 3, 9, 1, 7 }; qsort(a, 5, sizeof *a, cmp); int key = 7, *hit = bsearch(&key, a, 5, sizeof *a, cmp);
    printf("%d %d %td\n", a[0], a[4], hit - a);
    int *p = a, *q = p++; *p++ = *q++ + 10; p[-1] ^= 1; printf("%d %d %td\n", a[1], *p, p - q);
    void *raw = a; ((char *)raw)[4] = 1; printf("%d %d\n", a[1], 2[a]);
    unsigned long bitsp = (unsigned long)p; int *back = (int *)(bitsp & ~3ul); printf("%d\n", *back);
    int (*row)[4] = grid; row++; printf("%d %zu %d\n", (*row)[2], sizeof *row, row[1][3]);
    union { float f; unsigned u; unsigned char b[4]; } u = { 1.0f }; printf("%x %x\n", u.u, u.b[3]);
    char buf[32]; memset(buf, 'z', sizeof buf); memcpy(buf, "abc", 4); memmove(buf + 1, buf, 4); puts(buf);
    puts("same" "text");
    struct node self = { .next = &self, 3 }; printf("%d\n", self.next->next->next->v);
    return 0;
}
