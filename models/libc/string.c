/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <string.h> */
#include "clew.h"

void *memcpy(void *restrict dest, const void *restrict src, size_t n)
{
    CLEW_READS(src, n);
    CLEW_WRITES(dest, n);
    __clew_require("overlap", __clew_disjoint(dest, n, src, n));
    __clew_copy(dest, src, n);
    return dest;
}

void *mempcpy(void *restrict dest, const void *restrict src, size_t n)
{
    CLEW_READS(src, n);
    CLEW_WRITES(dest, n);
    __clew_require("overlap", __clew_disjoint(dest, n, src, n));
    __clew_copy(dest, src, n);
    return (char *)dest + n;
}

void *memmove(void *dest, const void *src, size_t n)
{
    CLEW_READS(src, n);
    CLEW_WRITES(dest, n);
    __clew_copy(dest, src, n);
    return dest;
}

void *memset(void *s, int c, size_t n)
{
    CLEW_WRITES(s, n);
    __clew_fill(s, (unsigned char)c, n);
    return s;
}

int memcmp(const void *s1, const void *s2, size_t n)
{
    const unsigned char *a = s1, *b = s2;
    CLEW_READS(s1, n);
    CLEW_READS(s2, n);
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

/* C promises that the search reads only up to the byte it finds, so the bytes are required one by one. */
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    __clew_require("null-deref", __clew_not_null(s));
    for (size_t i = 0; i < n; i++) {
        __clew_require("out-of-bounds", __clew_readable(bytes + i, 1));
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    }
    return NULL;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    CLEW_READS(s, n);
    for (size_t i = n; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)c)
            return (void *)(bytes + i - 1);
    return NULL;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *bytes = s;
    size_t i = 0;
    __clew_require("null-deref", __clew_not_null(s));
    for (;; i++) {
        __clew_require("out-of-bounds", __clew_readable(bytes + i, 1));
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    }
}

void *memmem(const void *haystack, size_t haystacklen, const void *needle, size_t needlelen)
{
    const unsigned char *text = haystack;
    CLEW_READS(haystack, haystacklen);
    CLEW_READS(needle, needlelen);
    for (size_t i = 0; i + needlelen <= haystacklen; i++)
        if (memcmp(text + i, needle, needlelen) == 0)
            return (void *)(text + i);
    return NULL;
}

void *memccpy(void *restrict dest, const void *restrict src, int c, size_t n)
{
    const unsigned char *found = memchr(src, c, n);
    size_t count = found ? (size_t)(found - (const unsigned char *)src) + 1 : n;
    CLEW_WRITES(dest, count);
    __clew_require("overlap", __clew_disjoint(dest, count, src, count));
    __clew_copy(dest, src, count);
    return found ? (char *)dest + count : NULL;
}

void explicit_bzero(void *s, size_t n)
{
    CLEW_WRITES(s, n);
    __clew_fill(s, 0, n);
}

size_t strlen(const char *s)
{
    CLEW_STRING(s);
    return __clew_nul_position(s);
}

size_t strnlen(const char *s, size_t maxlen)
{
    const char *end = memchr(s, 0, maxlen);
    return end ? (size_t)(end - s) : maxlen;
}

char *strcpy(char *restrict dest, const char *restrict src)
{
    CLEW_STRING(src);
    size_t size = __clew_nul_position(src) + 1;
    CLEW_WRITES(dest, size);
    __clew_require("overlap", __clew_disjoint(dest, size, src, size));
    __clew_copy(dest, src, size);
    return dest;
}

char *stpcpy(char *restrict dest, const char *restrict src)
{
    return strcpy(dest, src) + __clew_nul_position(src);
}

char *strncpy(char *restrict dest, const char *restrict src, size_t n)
{
    size_t length = strnlen(src, n);
    CLEW_WRITES(dest, n);
    __clew_require("overlap", __clew_disjoint(dest, n, src, length < n ? length + 1 : n));
    __clew_copy(dest, src, length);
    __clew_fill(dest + length, 0, n - length);
    return dest;
}

char *stpncpy(char *restrict dest, const char *restrict src, size_t n)
{
    return strncpy(dest, src, n) + strnlen(dest, n);
}

char *strcat(char *restrict dest, const char *restrict src)
{
    CLEW_STRING(dest);
    CLEW_STRING(src);
    size_t old = __clew_nul_position(dest), size = __clew_nul_position(src) + 1;
    CLEW_WRITES(dest + old, size);
    __clew_require("overlap", __clew_disjoint(dest, old + size, src, size));
    __clew_copy(dest + old, src, size);
    return dest;
}

char *strncat(char *restrict dest, const char *restrict src, size_t n)
{
    CLEW_STRING(dest);
    size_t old = __clew_nul_position(dest), added = strnlen(src, n);
    CLEW_WRITES(dest + old, added + 1);
    __clew_require("overlap", __clew_disjoint(dest, old + added + 1, src, added < n ? added + 1 : n));
    __clew_copy(dest + old, src, added);
    dest[old + added] = 0;
    return dest;
}

int strncmp(const char *s1, const char *s2, size_t n)
{
    __clew_require("null-deref", __clew_not_null(s1));
    __clew_require("null-deref", __clew_not_null(s2));
    for (size_t i = 0; i < n; i++) {
        __clew_require("string-not-terminated", __clew_readable(s1 + i, 1));
        __clew_require("string-not-terminated", __clew_readable(s2 + i, 1));
        unsigned char a = (unsigned char)s1[i], b = (unsigned char)s2[i];
        if (a != b || a == 0)
            return a - b;
    }
    return 0;
}

int strcmp(const char *s1, const char *s2)
{
    return strncmp(s1, s2, (size_t)-1);
}

/* In the C locale. */
int strcoll(const char *s1, const char *s2)
{
    return strcmp(s1, s2);
}

size_t strxfrm(char *restrict dest, const char *restrict src, size_t n)
{
    CLEW_STRING(src);
    size_t length = __clew_nul_position(src);
    if (n > 0) {
        size_t copied = length < n ? length + 1 : n;
        CLEW_WRITES(dest, copied);
        __clew_copy(dest, src, copied);
    }
    return length;
}

char *strchrnul(const char *s, int c)
{
    CLEW_STRING(s);
    size_t length = __clew_nul_position(s);
    for (size_t i = 0; i < length; i++)
        if (s[i] == (char)c)
            return (char *)s + i;
    return (char *)s + length;
}

char *strchr(const char *s, int c)
{
    char *found = strchrnul(s, c);
    return *found == (char)c ? found : NULL;
}

char *strrchr(const char *s, int c)
{
    CLEW_STRING(s);
    for (size_t i = __clew_nul_position(s) + 1; i > 0; i--)
        if (s[i - 1] == (char)c)
            return (char *)s + i - 1;
    return NULL;
}

size_t strspn(const char *s, const char *accept)
{
    CLEW_STRING(s);
    CLEW_STRING(accept);
    size_t i = 0, set = __clew_nul_position(accept);
    while (s[i] != 0 && memchr(accept, s[i], set))
        i++;
    return i;
}

size_t strcspn(const char *s, const char *reject)
{
    CLEW_STRING(s);
    CLEW_STRING(reject);
    size_t i = 0, set = __clew_nul_position(reject);
    while (s[i] != 0 && !memchr(reject, s[i], set))
        i++;
    return i;
}

char *strpbrk(const char *s, const char *accept)
{
    const char *found = s + strcspn(s, accept);
    return *found ? (char *)found : NULL;
}

char *strstr(const char *haystack, const char *needle)
{
    CLEW_STRING(haystack);
    CLEW_STRING(needle);
    return memmem(haystack, __clew_nul_position(haystack), needle, __clew_nul_position(needle));
}

char *strtok_r(char *restrict str, const char *restrict delim, char **restrict saveptr)
{
    CLEW_WRITES(saveptr, sizeof *saveptr);
    char *start = str ? str : *saveptr;
    __clew_require("bad-argument", start != NULL);
    start += strspn(start, delim);
    if (*start == 0) {
        *saveptr = start;
        return NULL;
    }
    char *end = start + strcspn(start, delim);
    if (*end != 0)
        *end++ = 0;
    *saveptr = end;
    return start;
}

char *strtok(char *restrict str, const char *restrict delim)
{
    static char *next;
    return strtok_r(str, delim, &next);
}

char *strsep(char **restrict stringp, const char *restrict delim)
{
    CLEW_WRITES(stringp, sizeof *stringp);
    char *start = *stringp;
    if (start == NULL)
        return NULL;
    char *end = start + strcspn(start, delim);
    *stringp = *end ? end + 1 : NULL;
    if (*end != 0)
        *end = 0;
    return start;
}

/* A copy of n bytes of a string on the heap, or null when memory is exhausted. */
static char *duplicate(const char *s, size_t n)
{
    if (__clew_nondet_int()) {
        CLEW_ERRNO = CLEW_ENOMEM;
        return NULL;
    }
    char *copy = __clew_allocate(n + 1);
    __clew_copy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *s)
{
    CLEW_STRING(s);
    return duplicate(s, __clew_nul_position(s));
}

char *strndup(const char *s, size_t n)
{
    return duplicate(s, strnlen(s, n));
}

/* Some text in memory of the library; a later call may change it. */
char *strerror(int errnum)
{
    static char message[64];
    (void)errnum;
    __clew_havoc(message, sizeof message);
    message[sizeof message - 1] = 0;
    return message;
}
