// SPDX-License-Identifier: MIT OR Apache-2.0
// A type may promise less than its size: accesses through one of 1 may lie anywhere.
typedef int __attribute__((aligned(1))) any_int;
typedef long __attribute__((aligned(2))) even_long;
struct pair {
    int a, b;
};
typedef struct pair __attribute__((aligned(1))) any_pair;

extern int any(void);

static int load(const char *p)
{
    return *(const any_int *)p;
}
static int plain(const char *p)
{
    return *(const int *)p; // open: misaligned-access
}
static long by_index(const char *p, int i)
{
    return ((even_long *)p)[i]; // open: misaligned-access
}
static long even(const char *p)
{
    even_long *q = (even_long *)(p + 2);
    return *q; // proved: misaligned-access
}
static int member(char *p)
{
    any_pair *q = (any_pair *)p;
    q->b = 1;
    return q->a;
}

int main(void)
{
    char buffer[32] __attribute__((aligned(8))) = { 0 };
    int k = any();
    if (k < 0 || k > 8)
        return 0;
    switch (any()) {
    case 0:
        return load(buffer + k);
    case 1:
        return plain(buffer + k);
    case 2:
        return by_index(buffer + k, 1) != 0;
    case 3:
        return even(buffer) != 0;
    }
    return member(buffer + k);
}
