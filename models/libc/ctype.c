/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <ctype.h> in the C locale. The results are one or zero where C asks only for zero or not. */
#include "clew.h"

/* C defines these for EOF and the values of unsigned char only. */
#define CLEW_CHARACTER(c) __clew_require("bad-argument", (c) >= -1 && (c) <= 255)

int isdigit(int c)
{
    CLEW_CHARACTER(c);
    return c >= '0' && c <= '9';
}

int isupper(int c)
{
    CLEW_CHARACTER(c);
    return c >= 'A' && c <= 'Z';
}

int islower(int c)
{
    CLEW_CHARACTER(c);
    return c >= 'a' && c <= 'z';
}

int isalpha(int c)
{
    return isupper(c) || islower(c);
}

int isalnum(int c)
{
    return isalpha(c) || isdigit(c);
}

int isxdigit(int c)
{
    return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

int isspace(int c)
{
    CLEW_CHARACTER(c);
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isblank(int c)
{
    CLEW_CHARACTER(c);
    return c == ' ' || c == '\t';
}

int iscntrl(int c)
{
    CLEW_CHARACTER(c);
    return (c >= 0 && c < 32) || c == 127;
}

int isprint(int c)
{
    CLEW_CHARACTER(c);
    return c >= 32 && c < 127;
}

int isgraph(int c)
{
    CLEW_CHARACTER(c);
    return c > 32 && c < 127;
}

int ispunct(int c)
{
    return isgraph(c) && !isalnum(c);
}

int isascii(int c)
{
    return (c & ~0x7f) == 0;
}

int tolower(int c)
{
    return isupper(c) ? c - 'A' + 'a' : c;
}

int toupper(int c)
{
    return islower(c) ? c - 'a' + 'A' : c;
}

int toascii(int c)
{
    return c & 0x7f;
}
