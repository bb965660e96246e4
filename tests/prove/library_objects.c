// SPDX-License-Identifier: MIT OR Apache-2.0
// Objects of the library are nobody's to free or write, may be one another, and change when the library is called again.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int input(void);

static void environment(void)
{
    char *p = getenv("PATH"), *q = getenv("PATH");
    if (!p || !q)
        return;
    assert(p != q);  // open: assertion
    char first = *p; // proved: null-deref use-after-free out-of-bounds
    if (input())
        free(p); // open: invalid-free
    if (input())
        p = realloc(q, 10); // open: invalid-free
    if (input())
        *q = first; // open: write-to-const
}

static void errors(void)
{
    char *p = strerror(1), *q = strerror(1);
    assert(p != q); // open: assertion
    puts(p);
    if (input())
        p[0] = 'x'; // open: write-to-const
    char *unknown = strerror(9999);
    puts(unknown);
    strerror(9998);
    puts(unknown); // open: use-after-free
}

static void streams(void)
{
    FILE *f = fopen("a", "r"), *g = fopen("b", "r");
    if (!f || !g)
        return;
    assert(f != g);
    if (input())
        free(f); // open: invalid-free
    if (input())
        memset(f, 0, 1); // open: write-to-const
    fclose(f);
    if (input())
        fclose(f); // open: use-after-free
    fclose(g);
    FILE *none = malloc(300);
    if (none)
        fclose(none); // open: bad-argument
}

static void no_streams(void)
{
    char text[300];
    if (input())
        fputc('x', (FILE *)text); // open: bad-argument
    if (input())
        fgetc((FILE *)0x1000); // open: invalid-deref
    if (input())
        fflush((FILE *)(long)input); // open: bad-argument
    puts("text");
    fclose(stdout);
    puts("text"); // open: bad-argument
}

static void calendar(void)
{
    time_t early = 0, late = 18420;
    struct tm *p = gmtime(&early);
    if (!p)
        return;
    int hour = p->tm_hour;
    assert(p->tm_hour == hour);
    ctime(&late);
    assert(p->tm_hour == hour); // open: assertion
    if (input())
        free((void *)p->tm_zone); // open: invalid-free
}

int main(void)
{
    environment();
    errors();
    streams();
    calendar();
    no_streams();
    return 0;
}
