// SPDX-License-Identifier: MIT OR Apache-2.0
// A record is assigned to one that it partly lies in (C11 6.5.16.1p3): compilers copy in pieces of their own choice.
struct text {
    char a[40];
};

union {
    struct text whole;
    struct {
        char first;
        struct text rest;
    } behind;
} both;

static char bytes[48];
static struct text table[4];

static void copy(struct text *to, const struct text *from)
{
    *to = *from; // violated: overlap
}

static void move(struct text *to, const struct text *from)
{
    *to = *from; // proved: overlap
}

int main(int argc, char **argv)
{
    if (argc == 1)
        both.behind.rest = both.whole; // violated: overlap
    if (argc == 2)
        copy((struct text *)(bytes + 1), (struct text *)bytes);
    move(&table[argc & 3], &table[1]);
    table[2] = table[argc & 3];
    both.whole = both.whole;
    return 0;
}
