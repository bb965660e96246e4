// SPDX-License-Identifier: MIT OR Apache-2.0
// Two effects on one number behind pointers of different types, or behind one and in a member.
union both {
    int number;
    unsigned bits;
};
struct pair {
    int a, b;
};

static int of_union(int *p, unsigned *q)
{
    return (*p = 1) + (int)(*q = 2); // violated: unsequenced
}

static int of_member(struct pair *pair, int *p)
{
    return pair->a++ + (*p = 3); // violated: unsequenced
}

int main(int argc, char **argv)
{
    union both both = { 0 };
    struct pair pair = { 1, 2 };
    (void)argv;
    if (argc > 1)
        return of_union(&both.number, &both.bits);
    return of_member(&pair, &pair.a);
}
