// SPDX-License-Identifier: MIT OR Apache-2.0
// Objects end with their block: in functions with computed gotos, and in blocks that have no braces.
extern int any(void);

int left_by_goto(int n)
{
    int *p = 0;
    {
        int z = 4;
        p = &z;
        if (n == 2)
            goto out;
        p = 0;
    }
out:
    if (p)
        return *p; // open: use-after-free
    goto *(n ? &&l1 : &&l2);
l1:
    return 0;
l2:
    return 0;
}

int left_by_break(int n)
{
    static void *labels[] = { &&a, &&b };
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int z = i;
        p = &z;
        if (n == i)
            break;
    }
    if (n == 0)
        return *p; // open: use-after-free
    goto *labels[n & 1];
a:
    return 1;
b:
    return 2;
}

int left_by_the_jump_itself(int n)
{
    static void *labels[] = { &&a, &&b };
    int *p;
    {
        int y = 3;
        p = &y;
        goto *labels[n & 1];
    }
a:
    return 1;
b:
    return *p; // open: use-after-free
}

int left_by_one_of_two(int n)
{
    static void *labels[] = { &&inside, &&outside };
    int *p;
    {
        int y = 3;
        p = &y;
        goto *labels[n & 1];
    inside:
        return *p; // proved: use-after-free
    }
outside:
    return *p; // open: use-after-free
}

int entered(int n)
{
    goto *(n ? &&a : &&b);
    {
        int y = 3;
        int *p;
    a:
        p = &y;
        *p = 1; // proved: use-after-free
        return y; // proved: uninitialised-read
    b:
        p = &y;
        return *p; // open: uninitialised-read
    }
}

/* An interpreter: nothing begins or ends on the way, and values stay. */
int dispatch(const unsigned char *code, int n)
{
    static void *const labels[] = { &&add, &&sub, &&end };
    int total = 0, at = 0;
    int *where = &total;
    if (n <= 0)
        return 0;
    goto *labels[n % 3];
add: {
    int step = 1;
    int *by = &step;
    total = (total & 7) + *by; // proved: use-after-free uninitialised-read
    at++;
    goto *labels[at < n ? 1 : 2];
}
sub:
    total--; // proved: signed-overflow
    at++;
    goto *labels[at < n ? 0 : 2];
end:
    return *where; // proved: use-after-free uninitialised-read
}

int in_a_branch(int n)
{
    int *q;
    if (n)
        q = &(int){ 4 };
    else
        q = &(int){ 5 };
    return *q; // open: use-after-free
}

int in_a_for(void)
{
    int *q = 0;
    for (int i = 0; i < 2; i++)
        q = &(int){ i };
    return *q; // open: use-after-free
}

int in_a_while(int n)
{
    int *q = 0;
    while (n-- > 0)
        q = (int[]){ 1, 2 };
    return q ? *q : 0; // open: use-after-free
}

int in_a_do(int n)
{
    int *q;
    do
        q = &(int){ 6 };
    while (n-- > 0);
    return *q; // open: use-after-free
}

int in_a_condition(int n)
{
    int *q;
    if ((q = &(int){ n }))
        n = *q; // proved: use-after-free
    return *q; // open: use-after-free
}

int in_a_clause(int n)
{
    int *q;
    for (q = &(int){ 8 }; n < 1; n++)
        n += *q & 1; // proved: use-after-free
    return *q; // open: use-after-free
}

int in_a_switch(int n)
{
    int *q;
    switch (*(q = &(int){ n })) {
    case 0:
        n = *q; // proved: use-after-free
    }
    return *q; // open: use-after-free
}

int in_the_condition_of_a_loop(int n)
{
    int *q = 0;
    while (n-- > 0 && (q = &(int){ n }))
        any();
    return q ? *q : 0; // open: use-after-free
}

struct pair {
    int a[2];
};
static struct pair make(void)
{
    struct pair p = { { 1, 2 } };
    return p;
}

int a_temporary(void)
{
    int *q = 0;
    if ((q = make().a))
        return *q; // open: use-after-free
    return 0;
}

int in_a_statement_expression(int n)
{
    int *p = 0;
    return ({
        int k = 1;
        if (n)
            goto out;
        p = &k;
        {
            int z = 2;
            p = &z;
            if (n == 3)
                goto out;
        }
    out:
        p ? *p : 0; // open: use-after-free
    });
}
