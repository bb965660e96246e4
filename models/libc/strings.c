/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <strings.h> */
#include "clew.h"

char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
int memcmp(const void *s1, const void *s2, size_t n);

int bcmp(const void *s1, const void *s2, size_t n)
{
    return memcmp(s1, s2, n);
}

void bcopy(const void *src, void *dest, size_t n)
{
    CLEW_READS(src, n);
    CLEW_WRITES(dest, n);
    __clew_copy(dest, src, n);
}

void bzero(void *s, size_t n)
{
    CLEW_WRITES(s, n);
    __clew_fill(s, 0, n);
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

static int lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int strncasecmp(const char *s1, const char *s2, size_t n)
{
    __clew_require("null-deref", __clew_not_null(s1));
    __clew_require("null-deref", __clew_not_null(s2));
    for (size_t i = 0; i < n; i++) {
        __clew_require("string-not-terminated", __clew_readable(s1 + i, 1));
        __clew_require("string-not-terminated", __clew_readable(s2 + i, 1));
        int a = lower((unsigned char)s1[i]), b = lower((unsigned char)s2[i]);
        if (a != b || a == 0)
            return a - b;
    }
    return 0;
}

int strcasecmp(const char *s1, const char *s2)
{
    return strncasecmp(s1, s2, (size_t)-1);
}

int ffsll(long long i)
{
    return i == 0 ? 0 : __builtin_ctzll((unsigned long long)i) + 1;
}

int ffsl(long i)
{
    return ffsll(i);
}

int ffs(int i)
{
    return i == 0 ? 0 : __builtin_ctz((unsigned)i) + 1;
}
