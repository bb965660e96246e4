// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of counters that loops keep. No main: each function is an entry.
int choice(void);

int down_and_up(unsigned n)
{
    unsigned x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    return 1 / (y == n); // proved: division-by-zero
}

// It holds modulo 2^32, whatever wraps.
int wraps(unsigned a, unsigned b)
{
    unsigned sum = a, left = b;
    while (left != 0) {
        left -= 3;
        sum += 3;
    }
    return 1 / (sum == a + b); // proved: division-by-zero
}

int three(int n)
{
    int i = 0, a = 0, b = 0;
    if (n < 0 || n > 1000000)
        return 0;
    while (i < n) {
        if (choice()) {
            a = a + 1;
            b = b + 2;
        } else {
            a = a + 2;
            b = b + 1;
        }
        i = i + 1;
    }
    return 1 / (a + b == 3 * n); // proved: division-by-zero
}

int from_both_ends(int mid)
{
    int lo = 0, hi;
    if (mid <= 0 || mid > 1000000)
        return 0;
    hi = 2 * mid;
    while (mid > 0) {
        lo = lo + 1;
        hi = hi - 1;
        mid = mid - 1;
    }
    return 1 / (lo == hi); // proved: division-by-zero
}

// One way does not keep the sum.
int unequal(int n)
{
    int i = 0, a = 0, b = 0;
    if (n < 0 || n > 1000000)
        return 0;
    while (i < n) {
        if (choice()) {
            a = a + 1;
            b = b + 2;
        } else {
            a = a + 2;
        }
        i = i + 1;
    }
    return 1 / (a + b == 3 * n); // open: division-by-zero
}

// Equal modulo 2^32 is not equal.
int wider(unsigned n)
{
    unsigned x = n;
    unsigned long y = 0;
    while (x > 0) {
        x--;
        y += 0x100000001;
    }
    return 1 / (y == n); // open: division-by-zero
}

// What is written in between is another number.
int rewritten(unsigned n)
{
    unsigned x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    n = choice();
    return 1 / (y == n); // open: division-by-zero
}
