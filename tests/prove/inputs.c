// SPDX-License-Identifier: MIT OR Apache-2.0
// flags: --assume params-lead-apart
// Pointers inside what callers pass: null, or to objects of their type. No main: each function is an entry.
struct node {
    struct node *next, *prev;
    int value;
    char *name;
};

int sum(struct node *n)
{
    unsigned k = 0;
    while (n) {
        k += n->value & 7; // proved: null-deref invalid-deref use-after-free out-of-bounds misaligned-access
        n = n->next;       // proved: null-deref invalid-deref use-after-free out-of-bounds misaligned-access
    }
    return k & 1;
}

void take_out(struct node *n)
{
    if (n && n->next && n->prev) {
        n->next->prev = n->prev; // proved: null-deref invalid-deref write-to-const out-of-bounds
        if (n->prev)
            n->prev->next = n->next; // proved: null-deref invalid-deref write-to-const out-of-bounds
    }
}

// The list may go round.
int back_to_the_first(struct node *n)
{
    if (!n || !n->next)
        return 0;
    n->value = 1;
    n->next->value = 0;
    return 10 / n->value; // open: division-by-zero
}

// All nodes but the first are told apart no further.
int two_others(struct node *n)
{
    if (!n || !n->next || !n->prev)
        return 0;
    n->next->value = 1;
    n->prev->value = 0;
    return 10 / n->next->value; // open: division-by-zero
}

int untested(struct node *n)
{
    return n ? n->next->value : 0; // open: null-deref
}

char past_the_first(struct node *n)
{
    return n && n->name ? n->name[1] : 0; // open: out-of-bounds
}

// A pointer to characters need not be aligned for more.
int word(char *p)
{
    return p ? *(int *)p : 0; // open: misaligned-access out-of-bounds
}

union either {
    struct node *node;
    long number;
};

// What is in a union may be the other member.
int in_a_union(union either *e)
{
    return e && e->node ? e->node->value : 0; // open: invalid-deref
}

struct span {
    char *begin, *end;
};

// Two pointers into what stands for many objects.
int far_apart(struct span *s)
{
    static char four[4];
    if (!s || !s->begin || !s->end)
        return 0;
    return four[s->end - s->begin]; // open: out-of-bounds
}
