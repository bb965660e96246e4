/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <strings.h>: older names, and comparisons that ignore case (of the C locale). */
#include "clew.h"

int tolower(int c);
int memcmp(const void *left, const void *right, size_t n);
size_t strlen(const char *string);
char *strchr(const char *string, int byte);
char *strrchr(const char *string, int byte);

int bcmp(const void *left, const void *right, size_t n)
{
    return memcmp(left, right, n);
}

void bcopy(const void *from, void *to, size_t n)
{
    CLEW_READS(from, n);
    CLEW_WRITES(to, n);
    __clew_copy(to, from, n);
}

void bzero(void *to, size_t n)
{
    CLEW_WRITES(to, n);
    __clew_fill(to, 0, n);
}

char *index(const char *string, int byte)
{
    return strchr(string, byte);
}

char *rindex(const char *string, int byte)
{
    return strrchr(string, byte);
}

/* Exact: a builtin of the IR. */
int ffs(int value)
{
    return __builtin_ffs(value);
}

int ffsl(long value)
{
    return __builtin_ffsl(value);
}

int ffsll(long long value)
{
    return __builtin_ffsll(value);
}

/* Only the sign is promised. */
static int any_of_sign(int difference)
{
    int result = __clew_nondet_int();
    __clew_assume((result < 0) == (difference < 0) && (result > 0) == (difference > 0));
    return result;
}

/* Exact loop. Only the bytes up to the first difference need to exist. */
int strncasecmp(const char *left, const char *right, size_t n)
{
    if (n > 0) {
        CLEW_READS(left, 1);
        CLEW_READS(right, 1);
    }
    for (size_t i = 0; i < n; i++) {
        CLEW_STRING_BYTE(left + i);
        CLEW_STRING_BYTE(right + i);
        int difference = tolower((unsigned char)left[i]) - tolower((unsigned char)right[i]);
        if (difference != 0 || left[i] == 0) {
            return any_of_sign(difference);
        }
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    return strncasecmp(left, right, (size_t)-1);
}

/* Declared in <string.h>, but of this family. Exact loop. */
char *strcasestr(const char *string, const char *wanted)
{
    size_t length = strlen(string), n = strlen(wanted);
    for (size_t i = 0; n <= length && i <= length - n; i++) {
        size_t same = 0;
        while (same < n && tolower((unsigned char)string[i + same]) == tolower((unsigned char)wanted[same])) {
            same++;
        }
        if (same == n) {
            return (char *)string + i;
        }
    }
    return NULL;
}
