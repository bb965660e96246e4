// SPDX-License-Identifier: MIT OR Apache-2.0
// A later initialiser of an aggregate clears what earlier ones said of the rest of it.
#include <assert.h>

struct I {
    int u, v;
};
struct P {
    struct I a, b;
    char text[4];
};

static struct I ranged[3] = {[0 ... 2] = {1, 2}, [1] = {.u = 5}};
static struct P nested = {.b.v = 3, .b = {1}, .text[3] = 'x', .text = "a"};

int main(void)
{
    assert(ranged[1].v == 0);   // unreachable: assertion
    assert(ranged[1].v == 2);   // open: assertion
    assert(ranged[2].v == 2);   // unreachable: assertion
    assert(nested.b.v == 0);    // unreachable: assertion
    assert(nested.text[3] == 0); // unreachable: assertion
    struct P local = {.b.v = 3, .b = {1}, .a = nested.a, .a.v = 7};
    assert(local.b.v == 0);     // unreachable: assertion
    assert(local.b.v == 3);     // open: assertion
    assert(local.a.v == 7);     // unreachable: assertion
    return 0;
}
