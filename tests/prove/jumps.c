// SPDX-License-Identifier: MIT OR Apache-2.0
// An object lives as long as its block: a jump back over its declaration takes its value and leaves it where it is.
extern int any(void);

int back_over_a_declaration(void)
{
    int n = 0;
    int *p = 0;
again:;
    int k = 1;
    if (n) {
        *p = 0; // proved: use-after-free
        return 1 / k; // open: division-by-zero
    }
    p = &k;
    n = 1;
    goto again;
}

int into_a_scope(int a)
{
    int n = 0;
    int *p = 0;
    if (a)
        goto middle;
again:;
    int k = 1;
middle:
    if (n == 2) {
        *p = 0; // proved: use-after-free
        return 1 / k; // open: division-by-zero
    }
    p = &k;
    n++;
    goto again;
}

struct pair {
    int a, b;
};

static int clear(struct pair **pp)
{
    if (!*pp)
        return 0;
    (*pp)->b = 0;
    return 1;
}

int through_a_call(void)
{
    struct pair *p = 0;
here:;
    struct pair t = { 1, 2 };
    if (clear(&p))
        return 1 / t.b; // open: division-by-zero
    p = &t;
    goto here;
}

int a_new_one_each_time(void)
{
    int n = 0;
    int *p = 0;
    for (;;) {
        int k = 1;
        if (n)
            return *p; // open: use-after-free
        p = &k;
        n = 1;
    }
}

int of_varying_length(void)
{
    int i = 0;
    int *p = 0;
again:;
    int n = 3;
    int v[n];
    v[0] = 0;
    if (i)
        return *p; // open: use-after-free
    p = v;
    i = 1;
    goto again;
}
