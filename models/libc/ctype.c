/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <ctype.h> in the C locale, exact. C promises only that 'true' is not zero, so it is any such int. */
#include "clew.h"

/* EOF or the value of an unsigned char. A char that is negative is the classic mistake. */
#define CLEW_CHARACTER(c) __clew_require("bad-argument", (c) >= -1 && (c) <= 255)

static int answer(int holds)
{
    int result = 0;
    if (holds) {
        result = __clew_nondet_int();
        __clew_assume(result != 0);
    }
    return result;
}

int isupper(int c)
{
    CLEW_CHARACTER(c);
    return answer(c >= 'A' && c <= 'Z');
}

int islower(int c)
{
    CLEW_CHARACTER(c);
    return answer(c >= 'a' && c <= 'z');
}

int isalpha(int c)
{
    CLEW_CHARACTER(c);
    return answer((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int isdigit(int c)
{
    CLEW_CHARACTER(c);
    return answer(c >= '0' && c <= '9');
}

int isalnum(int c)
{
    CLEW_CHARACTER(c);
    return answer((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

int isxdigit(int c)
{
    CLEW_CHARACTER(c);
    return answer((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

int isspace(int c)
{
    CLEW_CHARACTER(c);
    return answer(c == ' ' || (c >= '\t' && c <= '\r'));
}

int isblank(int c)
{
    CLEW_CHARACTER(c);
    return answer(c == ' ' || c == '\t');
}

int iscntrl(int c)
{
    CLEW_CHARACTER(c);
    return answer((c >= 0 && c < ' ') || c == 127);
}

int isprint(int c)
{
    CLEW_CHARACTER(c);
    return answer(c >= ' ' && c < 127);
}

int isgraph(int c)
{
    CLEW_CHARACTER(c);
    return answer(c > ' ' && c < 127);
}

int ispunct(int c)
{
    CLEW_CHARACTER(c);
    return answer((c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127));
}

int tolower(int c)
{
    CLEW_CHARACTER(c);
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    CLEW_CHARACTER(c);
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

/* These two are defined for every int. */
int isascii(int c)
{
    return answer(c >= 0 && c <= 127);
}

int toascii(int c)
{
    return c & 127;
}

/* What glibc's macros read: tables for -128 to 255, so that EOF and negative chars are inside. The bits are those of
 * its header on a little-endian machine. */
enum {
    BLANK = 1 << 0,
    CNTRL = 1 << 1,
    IS_PUNCT = 1 << 2,
    ALNUM = 1 << 3,
    IS_UPPER = 1 << 8,
    IS_LOWER = 1 << 9,
    ALPHA = 1 << 10,
    IS_DIGIT = 1 << 11,
    XDIGIT = 1 << 12,
    SPACE = 1 << 13,
    PRINT = 1 << 14,
    GRAPH = 1 << 15,
    PUNCT = PRINT | GRAPH | IS_PUNCT,
    DIGIT = PRINT | GRAPH | ALNUM | IS_DIGIT | XDIGIT,
    UPPER = PRINT | GRAPH | ALNUM | ALPHA | IS_UPPER,
    LOWER = PRINT | GRAPH | ALNUM | ALPHA | IS_LOWER,
};
#define AT(c) (128 + (c))
static const unsigned short classes[384] = {
    [AT(0) ... AT(8)] = CNTRL,
    [AT('\t')] = CNTRL | SPACE | BLANK,
    [AT('\n') ... AT('\r')] = CNTRL | SPACE,
    [AT(14) ... AT(31)] = CNTRL,
    [AT(' ')] = SPACE | PRINT | BLANK,
    [AT('!') ... AT('/')] = PUNCT,
    [AT('0') ... AT('9')] = DIGIT,
    [AT(':') ... AT('@')] = PUNCT,
    [AT('A') ... AT('F')] = UPPER | XDIGIT,
    [AT('G') ... AT('Z')] = UPPER,
    [AT('[') ... AT('`')] = PUNCT,
    [AT('a') ... AT('f')] = LOWER | XDIGIT,
    [AT('g') ... AT('z')] = LOWER,
    [AT('{') ... AT('~')] = PUNCT,
    [AT(127)] = CNTRL,
};

const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *table = classes + AT(0);
    return &table;
}

/* The tables of tolower and toupper are written at their first use, by an exact loop: C has no shorter way. */
static const int **conversions(int table[384], const int **place, int first, int last, int distance)
{
    if (*place == NULL) {
        for (int c = -128; c < 256; c++) {
            table[AT(c)] = c >= first && c <= last ? c + distance : c;
        }
        *place = table + AT(0);
    }
    return place;
}

const int **__ctype_tolower_loc(void)
{
    static int table[384];
    static const int *place;
    return conversions(table, &place, 'A', 'Z', 'a' - 'A');
}

const int **__ctype_toupper_loc(void)
{
    static int table[384];
    static const int *place;
    return conversions(table, &place, 'a', 'z', 'A' - 'a');
}
