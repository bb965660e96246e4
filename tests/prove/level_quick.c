// SPDX-License-Identifier: MIT OR Apache-2.0
// flags: --level quick
// The lowest level: values and memory as they are, and nothing that relates two of them.

int choice(void);

static int table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

int plain(void)
{
    int i = choice();
    if (i < 0 || i > 7) {
        return 0;
    }
    return table[i]; // proved: out-of-bounds
}

int below(int n)
{
    int i = choice();
    if (n < 0 || n > 8 || i < 0 || i >= n) {
        return 0;
    }
    return 1 / (n - i); // open: division-by-zero
}
