/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <ctype.h>, exact in the C locale. C promises only that 'true' is not zero, so it is any such int. In another locale what is
 * neither a digit nor EOF may belong to any class. */
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

/* The answer of a class that depends on the locale. */
static int answer_here(int c, int holds)
{
    if (c != -1 && __clew_foreign_locale()) {
        return __clew_nondet_int();
    }
    return answer(holds);
}

int isupper(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c >= 'A' && c <= 'Z');
}

int islower(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c >= 'a' && c <= 'z');
}

int isalpha(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

int isdigit(int c)
{
    CLEW_CHARACTER(c);
    return answer(c >= '0' && c <= '9');
}

int isalnum(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

int isxdigit(int c)
{
    CLEW_CHARACTER(c);
    return answer((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

int isspace(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c == ' ' || (c >= '\t' && c <= '\r'));
}

int isblank(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c == ' ' || c == '\t');
}

int iscntrl(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, (c >= 0 && c < ' ') || c == 127);
}

int isprint(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c >= ' ' && c < 127);
}

int isgraph(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, c > ' ' && c < 127);
}

int ispunct(int c)
{
    CLEW_CHARACTER(c);
    return answer_here(c, (c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127));
}

/* A character that is another's case in some locale. */
static int any_case(int c)
{
    if (c == -1) {
        return c;
    }
    int other = __clew_nondet_int();
    __clew_assume(other >= 0 && other <= 255);
    return other;
}

int tolower(int c)
{
    CLEW_CHARACTER(c);
    if (__clew_foreign_locale()) {
        return any_case(c);
    }
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
    CLEW_CHARACTER(c);
    if (__clew_foreign_locale()) {
        return any_case(c);
    }
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

/* In another locale: any table. The places are the library's, and nobody else's to write. */
const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *const table = classes + AT(0);
    static unsigned short other[384];
    static const unsigned short *const others = other + AT(0);
    if (__clew_foreign_locale()) {
        __clew_havoc(other, sizeof other);
        other[AT(-1)] = 0;
        return (const unsigned short **)&others;
    }
    return (const unsigned short **)&table;
}

/* Numbers from n on. */
#define FOUR(n) (n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
#define LETTERS(n) SIXTEEN(n), FOUR((n) + 16), FOUR((n) + 20), (n) + 24, (n) + 25
/* The entries of negative chars are the characters that they are as unsigned ones; EOF is itself. */
#define NEGATIVE SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, -1

static const int lower_case[384] = {
    NEGATIVE, SIXTY_FOUR(0), 64, LETTERS('a'), SIXTY_FOUR(91), SIXTY_FOUR(155), SIXTEEN(219), SIXTEEN(235), FOUR(251), 255,
};
static const int upper_case[384] = {
    NEGATIVE, SIXTY_FOUR(0), SIXTEEN(64), SIXTEEN(80), 96, LETTERS('A'), SIXTY_FOUR(123), SIXTY_FOUR(187), FOUR(251), 255,
};
static int other_case[384];

/* Any table whose entries are characters. */
static void make_other(void)
{
    __clew_havoc(other_case, sizeof other_case);
    other_case[AT(-1)] = -1;
}

const int **__ctype_tolower_loc(void)
{
    static const int *const table = lower_case + AT(0);
    static const int *const others = other_case + AT(0);
    if (__clew_foreign_locale()) {
        make_other();
        return (const int **)&others;
    }
    return (const int **)&table;
}

const int **__ctype_toupper_loc(void)
{
    static const int *const table = upper_case + AT(0);
    static const int *const others = other_case + AT(0);
    if (__clew_foreign_locale()) {
        make_other();
        return (const int **)&others;
    }
    return (const int **)&table;
}
