// SPDX-License-Identifier: MIT OR Apache-2.0
// What lies between the members of a struct that was initialised or assigned may be anything; of a static one it is zero.
#include <assert.h>
#include <string.h>

struct S {
    char c;
    int i;
};
struct T {
    int a, b;
};
static struct S s1 = {1, 2}, s2 = {1, 2};

int main(void)
{
    struct S a = {1, 2}, b = {1, 2};
    assert(a.i == 2 && b.c == 1);            // unreachable: assertion
    assert(memcmp(&a, &b, sizeof a) == 0);   // open: assertion
    assert(memcmp(&s1, &s2, sizeof s1) == 0); // unreachable: assertion
    struct T d = {1}, e = {1};
    assert(memcmp(&d, &e, sizeof d) == 0);   // unreachable: assertion
    struct S x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    assert(memcmp(&x, &y, sizeof x) == 0);   // unreachable: assertion
    struct S z = {0};
    x = z;
    assert(x.i == 0 && x.c == 0);            // unreachable: assertion
    assert(memcmp(&x, &y, sizeof x) == 0);   // open: assertion
    return 0;
}
