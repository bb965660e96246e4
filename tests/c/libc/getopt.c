// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// getopt and getopt_long: permutation, abbreviations, complaints.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static int flag;
static const struct option longs[] = {{"verbose", no_argument, NULL, 'v'}, {"output", required_argument, NULL, 'o'}, {"optional", optional_argument, NULL, 'p'},
                                      {"set", no_argument, &flag, 7},      {"verify", no_argument, NULL, 'y'},      {NULL, 0, NULL, 0}};

static void parse(int use_long, const char *letters, int argc, ...)
{
    char *argv[16];
    static char copies[16][32];
    __builtin_va_list list;
    __builtin_va_start(list, argc);
    for (int i = 0; i < argc; i++)
        argv[i] = strcpy(copies[i], __builtin_va_arg(list, const char *));
    __builtin_va_end(list);
    argv[argc] = NULL;
    optind = 0;
    flag = 0;
    int c, index = -1;
    while ((c = use_long ? getopt_long(argc, argv, letters, longs, &index) : getopt(argc, argv, letters)) != -1) {
        printf("%c", c > 31 ? c : c + '0');
        if (optarg)
            printf("=%s", optarg);
        if (c == '?' || c == ':')
            printf("(%d)", optopt);
        if (index >= 0)
            printf("#%d", index);
        index = -1;
        printf(" ");
    }
    printf("| %d flag %d:", optind, flag);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    puts("");
    fflush(stdout);
}

int main(void)
{
    parse(0, "ab:c::", 7, "prog", "-a", "-bvalue", "file", "-c", "-cx", "last");
    parse(0, "ab:", 5, "prog", "-ab", "arg", "--", "-a");
    parse(0, "ab:", 3, "prog", "-x", "-b");
    parse(0, ":ab:", 3, "prog", "-x", "-b");
    parse(0, "+ab:", 4, "prog", "-a", "stop", "-b");
    parse(0, "-ab:", 4, "prog", "one", "-a", "two");
    parse(1, "vo:", 7, "prog", "--verbose", "x", "--output=file", "--out", "other", "--set");
    parse(1, "vo:", 6, "prog", "--ver", "--unknown", "--verbose=1", "--output", "-v");
    parse(1, "vo:", 3, "prog", "--optional", "--optional=5");
    parse(1, "vo:", 2, "prog", "--output");
    return 0;
}
