// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// Compound literals of tagged records where a tag that is declared would end with the statement.
#include <stdio.h>

struct point {
    int x, y;
};

static int sum(struct point p)
{
    return p.x + p.y;
}

static struct point origin(int flip)
{
    if (flip)
        return (struct point){1, 2};
    return (struct point){0};
}

/* The unit of a bit-field reaches into the members behind it. */
struct mixed {
    int small : 11;
    char text[5];
    int other : 12;
};

int main(void)
{
    struct point a = {3, 4};
    int n = 2;
    if (a.x)
        a = (struct point){5, 6};
    while (n--)
        printf("%d\n", sum((struct point){n, a.y}));
    if ((struct point){n, 1}.y)
        printf("%d %d\n", origin(1).y, origin(0).x);
    struct mixed m = {.other = n, .small = 60, "hgfed"};
    printf("%d %.5s %d\n", m.small, m.text, m.other);
    return 0;
}
