// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of integers: one counter up and another down, what is left of a length, both ends of a range. Each check divides by
// zero if the claim is wrong, or is one of the program's own.

int input(void);

// While `z` is counted down, `x` cannot get beyond where `z` began.
void opposite_counters(void)
{
    int x = 0, y = 0, z = input();
    while (z > 0) {
        x = x + 1; // proved: signed-overflow
        y = y - 1; // proved: signed-overflow
        z = z - 1; // proved: signed-overflow
    }
}

void opposite_counters_from_one(void)
{
    int x = 1, z = input();
    while (z > 0) {
        x = x + 1; // open: signed-overflow
        z = z - 1;
    }
}

int two_lengths(unsigned a, unsigned b)
{
    int r = 0;
    if (a <= 1000 && b <= 1000 && a + b <= 600) {
        unsigned c = a + b;
        r += 1 / (c >= a && c >= b);  // proved: division-by-zero
        r += 1 / (a <= 600 - b);      // proved: division-by-zero
        r += 1 / (a <= 599 - b);      // open: division-by-zero
    }
    return r;
}

char buffer[100];

void both_ends(int i, int j)
{
    if (i >= 0 && j >= 0 && i + j < 100) { // open: signed-overflow
        buffer[i + j] = 0;                 // given: out-of-bounds
        buffer[i + j + 1] = 0;             // open: out-of-bounds
    }
}

int rest_of_length(int n, int i)
{
    int r = 0;
    if (n >= 0 && n <= 1000 && i >= 0 && i <= n) {
        int left = n - i;
        r += 1 / (left <= n);       // proved: division-by-zero
        r += 1 / (left + i == n);   // proved: division-by-zero
        i = i + 1;
        r += 1 / (left + i <= n);   // open: division-by-zero
    }
    return r;
}

// A walk that goes either way is not further away than it has steps.
void random_walk(int steps)
{
    int at = 0, taken = 0;
    while (taken < steps) {
        if (input()) {
            at = at + 1; // proved: signed-overflow
        } else {
            at = at - 1; // proved: signed-overflow
        }
        taken = taken + 1;
    }
}

void longer_walk(int steps)
{
    int at = 0, taken = 0;
    while (taken < steps) {
        at = at + 2; // open: signed-overflow
        taken = taken + 1;
    }
}

// A test of one counter says something of the other, also when the first is not read any more.
int counted_together(void)
{
    int i = 0, j = 0;
    while (input() && i < 1000000)
        i++;
    if (i >= 100)
        return 0;
    while (input() && i < 1000000) {
        i++;
        j++;
    }
    if (j >= 101)
        return 0;
    if (input())
        return 1 / (i < 199); // open: division-by-zero
    if (j >= 100)
        return 0;
    return 1 / (i < 200); // proved: division-by-zero
}
