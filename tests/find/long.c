// SPDX-License-Identifier: MIT OR Apache-2.0
// A fault that is twenty million turns away from its input: the compiled program goes there, the interpreter follows.
extern int __VERIFIER_nondet_int(void);

static int ring[1000];

static int turns(int count)
{
    unsigned at = 0;
    int late = 0;

    for (int i = 0; i < count; i++) {
        at = (at * 1103515245u + 12345u) % 1000u;
        ring[at] ^= i & 255;
        if (i >= 15000000)
            late++;
    }
    return late;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();

    if (count < 0 || count > 20000000)
        return 0;
    ring[turns(count) > 5 ? 1000 : 3] = 1; // violated: out-of-bounds
    return ring[0] & 1;
}
