// SPDX-License-Identifier: MIT OR Apache-2.0
// Integer work in registers: Collatz lengths and a multiplicative hash.
#include <stdio.h>

int main(void)
{
    unsigned long hash = 14695981039346656037ul;
    int longest = 0;
    for (int start = 1; start < 200000; start++) {
        unsigned long n = (unsigned long)start;
        int length = 0;
        while (n != 1) {
            if (n % 2 == 0)
                n = n / 2;
            else
                n = 3 * n + 1;
            length++;
        }
        if (length > longest)
            longest = length;
        hash = (hash ^ (unsigned long)length) * 1099511628211ul;
    }
    printf("%d %lx\n", longest, hash);
    return 0;
}
