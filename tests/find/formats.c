// SPDX-License-Identifier: MIT OR Apache-2.0
// A format that stands in the call says which arguments it takes.
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%d %s %5.2f %lu %c %%\n", argc, "x", 1.0, sizeof argc, 'c');
    if (argc == 2)
        printf("%d %d\n", argc); // violated: bad-argument
    if (argc == 3)
        printf("%ld\n", argc); // violated: bad-argument
    if (argc == 4)
        printf("%f\n", argc); // violated: bad-argument
    return 0;
}
