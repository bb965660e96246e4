/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <getopt.h>: any option may come next, with any text of the words or none; the words may change places, as GNU's form
 * brings those that are no options to the end. */
#include "clew.h"

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static void permute(size_t count, char **words)
{
    while (__clew_nondet_bool()) {
        char **one = &words[__clew_nondet_size() % count], **other = &words[__clew_nondet_size() % count];
        char *word = *one;
        *one = *other;
        *other = word;
    }
}

/* The text from some byte of a word on. */
static char *part_of(size_t count, char **words)
{
    char *word = words[__clew_nondet_size() % count];
    CLEW_STRING(word);
    size_t at = __clew_nondet_size();
    __clew_assume(at <= __clew_nul_position(word));
    return word + at;
}

/* What every call changes. */
static void advance(int argc, char **argv)
{
    optarg = NULL;
    __clew_maybe_error(); /* it may have written a message */
    if (argc > 0) {
        CLEW_READS(argv, (size_t)argc * sizeof *argv);
        permute((size_t)argc, argv);
        if (__clew_nondet_bool()) {
            optarg = part_of((size_t)argc, argv);
        }
    }
    int next = __clew_nondet_int();
    __clew_assume(next == optind || (next > 0 && next <= argc));
    optind = next;
    optopt = __clew_nondet_int();
}

/* A byte of the options, `?`, `:`, 1 for a word that is no option, or the end. */
static int any_option(void)
{
    int option = __clew_nondet_int();
    __clew_assume(option >= -128 && option <= 127);
    return option;
}

int getopt(int argc, char *const argv[], const char *options)
{
    CLEW_STRING(options);
    advance(argc, (char **)argv);
    return any_option();
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *longs, int *index)
{
    CLEW_STRING(options);
    advance(argc, (char **)argv);
    if (__clew_nondet_bool()) {
        return any_option();
    }
    CLEW_READS(longs, sizeof *longs);
    int at = 0;
    while (longs[at].name != NULL && __clew_nondet_bool()) {
        at++;
        __clew_require("out-of-bounds", __clew_readable(&longs[at], sizeof *longs));
    }
    if (longs[at].name == NULL) {
        return '?';
    }
    if (index != NULL) {
        CLEW_WRITES(index, sizeof *index);
        *index = at;
    }
    if (longs[at].flag == NULL) {
        return longs[at].val;
    }
    *longs[at].flag = longs[at].val;
    return 0;
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *longs, int *index)
{
    return getopt_long(argc, argv, options, longs, index);
}
