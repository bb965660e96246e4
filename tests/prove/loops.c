// SPDX-License-Identifier: MIT OR Apache-2.0
// Loops over arrays: what is filled is written, what is counted is in range. No main: each function is an entry.
int sum(void)
{
    int data[1000], total = 0;
    for (int i = 0; i < 1000; i++) {
        data[i] = i % 7; // proved: out-of-bounds
    }
    for (int i = 0; i < 1000; i++) {
        total += data[i] / (i + 1); // proved: uninitialised-read division-by-zero signed-overflow
    }
    return total;
}

int past_the_end(int n)
{
    int data[10] = {0};
    if (n < 0 || n > 10) {
        return 0;
    }
    return data[n]; // open: out-of-bounds
}
