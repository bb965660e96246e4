// SPDX-License-Identifier: MIT OR Apache-2.0
// What a parameter that points to something const leads to may be const; what others lead to is not.
struct S {
    int n;
    char text[4];
};

int set(const char *s)
{
    if (!s)
        return 0;
    *(char *)s = 1; // open: write-to-const
    return 1;
}

int member(const struct S *s, struct S *t)
{
    if (!s || !t)
        return 0;
    t->n = 1; // proved: write-to-const
    struct S *mine = (struct S *)s;
    mine->n = 2; // open: write-to-const
    return 1;
}
