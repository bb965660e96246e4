/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the generated text says of the functions that are called. It stands behind units of any standard, so it includes nothing. */

#ifndef CLEW_ENTRY_H
#define CLEW_ENTRY_H

/* A number in an argument or behind one. The kinds: d double, f float, b h w l integers of 1, 2, 4, 8 bytes, B H W L the same unsigned. */
struct clew_leaf {
    unsigned offset;
    char kind;
};

/* An argument: one number (kind as above), or memory (kind p) of `count` elements of `size` bytes, with `leaves` numbers each. */
struct clew_param {
    char kind;
    char is_const;
    unsigned size, count, leaves;
    const struct clew_leaf *leaf;
};

union clew_argument {
    double d;
    long long n;
    void *p;
};

struct clew_entry {
    const char *name;
    int params;
    const struct clew_param *param;
    void (*call)(const union clew_argument *, void *);
    /* What is returned: 0 nothing, i an integer, or numbers like those of an argument (kind p), at most CLEW_RETURNED bytes. */
    struct clew_param returned;
    /* Whether the integer that is returned says how it went: 0 is well. */
    int returns_status;
};

#define CLEW_RETURNED 256

#endif
