// SPDX-License-Identifier: MIT OR Apache-2.0
// getopt changes its own variables, and the places of the words.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int table[12], is_verbose;

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"verbose", no_argument, &is_verbose, 12}, {0}};
    char small[8];
    int before = optind;
    if (getopt(argc, argv, "ab:") == -1)
        return 0;
    if (optind != before)
        table[12] = 1; // undecided: out-of-bounds
    if (optind > argc && argc > 1)
        table[12] = 1; // given: out-of-bounds
    if (optarg != NULL)
        strcpy(small, optarg); // undecided: out-of-bounds
    getopt_long(argc, argv, "ab:", longs, NULL);
    table[is_verbose] = 1; // undecided: out-of-bounds
    return 0;
}
