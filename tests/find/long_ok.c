// SPDX-License-Identifier: MIT OR Apache-2.0
// status: 0
// The twin of long.c that nothing is wrong with, though it is not proved: no square leaves 3 when divided by 7.
extern int __VERIFIER_nondet_int(void);

static int ring[1000];

static int turns(int count)
{
    unsigned at = 0;
    int late = 0;

    for (int i = 0; i < count; i++) {
        at = (at * 1103515245u + 12345u) % 65536u;
        ring[at % 1000u] ^= i & 255;
        if (at * at % 7u == 3u)
            late++;
    }
    return late;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();

    if (count < 0 || count > 20000000)
        return 0;
    ring[turns(count) > 5 ? 1000 : 3] = 1;
    return ring[0] & 1;
}
