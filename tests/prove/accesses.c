// SPDX-License-Identifier: MIT OR Apache-2.0
// Pointers of which nothing is known: what the first access through one shows of the next ones.
// flags: --no-assume params-valid-or-null --no-assume missing-functions-free-nothing
#include <stdlib.h>

struct pair {
    int first, second;
    struct pair *next;
};

void other(struct pair *p);
int input(void);

int twice(struct pair *p)
{
    int sum = p->second; // undecided: invalid-deref out-of-bounds use-after-free
    sum += p->second;    // given: null-deref invalid-deref out-of-bounds use-after-free
    sum += p->first;     // given: use-after-free
    sum += p->first;     // given: out-of-bounds
    struct pair *q = p;
    return sum + q->first + q->second; // given: out-of-bounds use-after-free
}

// Bytes between two of an object are its own; those behind the last one need not be.
int between(char *p)
{
    int sum = p[0] + p[7];
    sum += p[3]; // given: out-of-bounds use-after-free
    sum += p[8]; // undecided: out-of-bounds
    return sum;
}

int before(char *p)
{
    int sum = p[0];
    sum += p[-1]; // undecided: out-of-bounds
    return sum;
}

int moved(char *p)
{
    int sum = p[1];
    char *q = p + 1;
    sum += q[0]; // given: out-of-bounds
    p = q;
    sum += p[0]; // given: out-of-bounds
    sum += p[1]; // undecided: out-of-bounds
    return sum;
}

int another(struct pair *p)
{
    int sum = p->first;
    p = p->next;
    return sum + p->first; // undecided: invalid-deref out-of-bounds use-after-free
}

int one_of_two(struct pair *p, struct pair *q)
{
    int sum = p->first;
    if (input())
        p = q;
    return sum + p->first; // undecided: invalid-deref out-of-bounds use-after-free
}

int freed(struct pair *p, struct pair *q)
{
    int sum = p->first;
    free(q);
    return sum + p->first; // undecided: use-after-free
}

int perhaps_freed(struct pair *p)
{
    int sum = p->first;
    other(p);
    return sum + p->first; // undecided: use-after-free
}

static int sum_of(struct pair *p)
{
    return p->first + p->second;
}

static void release(struct pair *p)
{
    if (input())
        free(p);
}

int through_calls(struct pair *p)
{
    int sum = p->second + p->first;
    sum += sum_of(p);
    sum += p->first; // given: out-of-bounds use-after-free
    release(p);
    return sum + p->first; // undecided: use-after-free
}

// What a call has seen of its argument.
int after_a_call(struct pair *p)
{
    int sum = sum_of(p + 1);
    sum += p[1].second; // given: out-of-bounds use-after-free
    return sum + p[2].first; // undecided: out-of-bounds
}

static int of_the_next(struct pair *p)
{
    p = p->next;
    return p ? p->first : 0;
}

int after_another_call(struct pair *p)
{
    int sum = of_the_next(p);
    return sum + p->first; // undecided: out-of-bounds
}

int in_a_loop(struct pair *p, int n)
{
    int sum = p->first;
    for (int i = 0; i < n; i++) {
        sum ^= p->first; // given: invalid-deref out-of-bounds use-after-free
    }
    for (int i = 0; i < n; i++) {
        sum ^= p->first; // undecided: use-after-free
        if (input())
            free(p->next);
    }
    return sum;
}

// The block's variable has gone.
int of_a_block(int *p)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (i == 1)
            sum += *p; // undecided: use-after-free
        p = &x;
        sum += *p; // given: use-after-free
    }
    return sum;
}

int written_twice(char *p, char *q)
{
    p[1] = 1; // undecided: write-to-const
    p[0] = 2; // given: write-to-const
    q[0] = 3; // undecided: write-to-const
    p = q;
    p[0] = 4; // given: write-to-const
    return p[0];
}
