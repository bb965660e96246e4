// SPDX-License-Identifier: MIT OR Apache-2.0
// Static objects begin with zeros; where a pointer leads to one, bytes may come in that nobody wrote.
#include <string.h>

static double table[4], plain[4];
static long grid[2][3];
static int counts[3];

static void fill(double *to)
{
    double unwritten;
    memcpy(to + 1, &unwritten, sizeof unwritten);
}

int main(int argc, char **argv)
{
    long number;
    fill(table);
    if (table[0] > 1) // proved: uninitialised-read
        return 1;
    if (argc == 1 && table[1] > 3) // violated: uninitialised-read
        return 2;
    memcpy(grid[1], &number, sizeof number);
    if (argc == 2 && grid[1][0] > 3) // violated: uninitialised-read
        return 3;
    memset(counts, 1, sizeof counts);
    plain[argc & 3] = 2;
    return counts[argc & 1] > 7 || plain[1] > 3; // proved: uninitialised-read
}
