// SPDX-License-Identifier: MIT OR Apache-2.0
// status: 0
// A program that never ends: whoever runs it gives up.
int main(void)
{
    static int ring[1000];
    unsigned at = 0;

    for (;;) {
        at = (at * 1103515245u + 12345u) % 65536u;
        ring[at * at % 7u == 3u ? 1000u : at % 1000u] ^= 1;
    }
}
