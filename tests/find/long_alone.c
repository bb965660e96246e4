// SPDX-License-Identifier: MIT OR Apache-2.0
// A program without inputs that goes wrong late.
int main(void)
{
    static int ring[1000];
    unsigned at = 0, sum = 0;

    for (unsigned i = 0; i < 20000000u; i++) {
        at = (at * 1103515245u + 12345u) % 1000u;
        ring[at] ^= (int)(i & 255u);
        sum += (unsigned)ring[at];
        if (i == 15000000u)
            ring[at + sum % 2u + 1000u] = 1; // violated: out-of-bounds
    }
    return (int)(sum & 1u);
}
