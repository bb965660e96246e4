// SPDX-License-Identifier: MIT OR Apache-2.0
// What callers pass may come from anywhere: from malloc, from fopen.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int freed(struct node *p)
{
    if (!p)
        return 0;
    free(p); // undecided: invalid-free
    return p->value; // undecided: use-after-free
}

int behind_free(struct node *p, int z)
{
    free(p);
    return 10 / z; // undecided: division-by-zero
}

int moved(int *p, int n)
{
    int *q = realloc(p, 400);
    if (!q)
        return 0;
    return q[n]; // undecided: out-of-bounds
}

int closed(FILE *file, int z)
{
    if (!file)
        return 0;
    fclose(file);
    return 10 / z; // undecided: division-by-zero
}
