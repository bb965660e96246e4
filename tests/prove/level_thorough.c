// SPDX-License-Identifier: MIT OR Apache-2.0
// flags: --level 3
// A loop that has to be followed turn by turn, for longer than usual: `long_loop.c` is the same at the usual level.

int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 5000; i++) {
        x = x * 1664525u + 1013904223u;
        x ^= x >> 7;
    }
    int right = 1 / (x != 5);  // proved: division-by-zero
    int wrong = 1 / (x == 5);  // open: division-by-zero
    return right + wrong;
}
