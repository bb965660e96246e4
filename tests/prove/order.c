// SPDX-License-Identifier: MIT OR Apache-2.0
// Calls in assignments, subscripts, initialisers and compound literals have no order between them either.
extern int any(void);

static int n, m, a[8], b[8];
static int next(void)
{
    return n++ & 7;
}
static int other(void)
{
    return m++ & 7;
}
static int *slot(void)
{
    return &a[n++ & 7];
}
static int *slot_of_b(void)
{
    return &b[m++ & 7];
}
struct pair {
    int x, y;
};
static int sum(struct pair p, int q)
{
    return (p.x & 7) + (q & 7);
}

void assignments(void)
{
    a[next()] = next(); // open: order-dependent
    *slot() = next(); // open: order-dependent
    *slot() += next() & 1; // open: order-dependent
    a[other()] = next(); // proved: order-dependent
    *slot_of_b() = next(); // proved: order-dependent
}

int lists(void)
{
    int z[2] = { next(), next() }; // open: order-dependent
    struct pair p = { next(), other() }; // proved: order-dependent
    int k = sum((struct pair){ next(), next() }, 1); // open: order-dependent
    k += sum((struct pair){ other(), 1 }, next()) & 7; // proved: order-dependent
    k += sum((struct pair){ next(), 1 }, next()) & 7; // open: order-dependent
    return (z[0] & 1) + (p.x & 1) + (k & 1);
}

int subscripts(void)
{
    return slot()[next() & 0] // open: order-dependent
           & 1;
}

/* A call of its own after its arguments: the two are in order. */
void arguments(void)
{
    a[other()] = sum((struct pair){ next(), 1 }, 2); // proved: order-dependent
    a[0] = next() - (other(), next()); // open: order-dependent
    a[0] = any() & (next(), n);
}

int literal(int x)
{
    return x + (int){ x++ }; // open: unsequenced
}
