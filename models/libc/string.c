/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <string.h>. Functions that move bytes are intrinsics; functions whose result is decided by bytes, and branched on,
 * are exact loops. Comparisons promise only a sign, so the magnitude of their result is any. */
#include "clew.h"

void *memrchr(const void *from, int byte, size_t n);

/* Any int of the sign of the difference. */
static int any_of_sign(int difference)
{
    int result = __clew_nondet_int();
    if (difference < 0) {
        __clew_assume(result < 0);
    } else if (difference > 0) {
        __clew_assume(result > 0);
    } else {
        __clew_assume(result == 0);
    }
    return result;
}

/* Exact loop: the length of a string of which at most n bytes are looked at; fewer bytes than n may exist if a NUL is
 * among them. */
static size_t length_within(const char *p, size_t n)
{
    size_t length = 0;
    CLEW_READS(p, n > 0); /* no bytes of null is undefined, too */
    while (length < n) {
        CLEW_STRING_BYTE(p + length);
        if (p[length] == 0) {
            break;
        }
        length++;
    }
    return length;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    CLEW_READS(from, n);
    CLEW_WRITES(to, n);
    /* A copy onto itself is undefined too, but compilers make such calls for assignments. */
    if (to != from) {
        __clew_require("overlap", __clew_disjoint(to, n, from, n));
    }
    __clew_copy(to, from, n);
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    return (char *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n)
{
    CLEW_READS(from, n);
    CLEW_WRITES(to, n);
    __clew_copy(to, from, n);
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    CLEW_WRITES(to, n);
    __clew_fill(to, byte, n);
    return to;
}

void explicit_bzero(void *to, size_t n)
{
    memset(to, 0, n);
}

/* Exact loop. All n bytes must be readable even if the first ones differ. */
int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *p = left, *q = right;
    CLEW_USES(left, n);
    CLEW_USES(right, n);
    for (size_t i = 0; i < n; i++) {
        if (p[i] != q[i]) {
            return any_of_sign(p[i] - q[i]);
        }
    }
    return 0;
}

/* Exact loop. C promises that it reads only up to the byte it finds. */
void *memchr(const void *from, int byte, size_t n)
{
    const unsigned char *p = from;
    CLEW_READS(from, 0);
    for (size_t i = 0; i < n; i++) {
        __clew_require("out-of-bounds", __clew_readable(p + i, 1));
        if (p[i] == (unsigned char)byte) {
            return (void *)(p + i);
        }
    }
    return NULL;
}

/* Exact loop. */
void *rawmemchr(const void *from, int byte)
{
    const unsigned char *p = from;
    CLEW_READS(from, 1);
    while (*p != (unsigned char)byte) {
        p++;
        __clew_require("out-of-bounds", __clew_readable(p, 1));
    }
    return (void *)p;
}

/* Exact loop, from the end. */
void *memrchr(const void *from, int byte, size_t n)
{
    const unsigned char *p = from;
    CLEW_READS(from, n);
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)byte) {
            return (void *)(p + n);
        }
    }
    return NULL;
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n)
{
    const unsigned char *end = memchr(from, byte, n);
    if (end == NULL) {
        memcpy(to, from, n);
        return NULL;
    }
    size_t used = (size_t)(end - (const unsigned char *)from) + 1;
    return (char *)memcpy(to, from, used) + used;
}

/* Whether the n bytes are the same, by an exact loop. */
static int same_bytes(const char *p, const char *q, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] == q[i]) {
        i++;
    }
    return i == n;
}

/* Exact loop. */
void *memmem(const void *in, size_t size, const void *wanted, size_t n)
{
    const char *p = in;
    CLEW_READS(in, size);
    CLEW_READS(wanted, n);
    for (size_t i = 0; n <= size && i <= size - n; i++) {
        if (same_bytes(p + i, wanted, n)) {
            return (void *)(p + i);
        }
    }
    return NULL;
}

size_t strlen(const char *string)
{
    CLEW_STRING(string);
    return __clew_nul_position(string);
}

size_t strnlen(const char *string, size_t most)
{
    return length_within(string, most);
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    CLEW_STRING(from);
    size_t length = __clew_nul_position(from);
    CLEW_WRITES(to, length + 1);
    __clew_require("overlap", __clew_disjoint(to, length + 1, from, length + 1));
    __clew_copy(to, from, length + 1);
    to[length] = 0; /* was copied, which an engine that knows only bounds of the length does not see */
    return to + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = length_within(from, n);
    CLEW_WRITES(to, n);
    if (n > 0) {
        size_t read = length < n ? length + 1 : n;
        __clew_require("overlap", __clew_disjoint(to, n, from, read));
    }
    __clew_copy(to, from, length);
    __clew_fill(to + length, 0, n - length);
    return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    stpncpy(to, from, n);
    return to;
}

/* Appends `length` bytes and a NUL, of `read` bytes that were looked at. */
static void append(char *to, const char *from, size_t length, size_t read)
{
    CLEW_STRING(to);
    size_t old = __clew_nul_position(to);
    char *end = to + old;
    __clew_require("out-of-bounds", __clew_readable(end, length + 1));
    __clew_require("write-to-const", __clew_writable(end, length + 1));
    __clew_require("overlap", __clew_disjoint(to, old + length + 1, from, read));
    __clew_copy(end, from, length);
    end[length] = 0;
}

char *strcat(char *restrict to, const char *restrict from)
{
    CLEW_STRING(from);
    size_t length = __clew_nul_position(from);
    append(to, from, length, length + 1);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = length_within(from, n);
    append(to, from, length, length < n ? length + 1 : n);
    return to;
}

/* Exact loop. Only the bytes up to the first difference need to exist. */
int strncmp(const char *left, const char *right, size_t n)
{
    CLEW_READS(left, n > 0); /* no bytes of null is undefined, too */
    CLEW_READS(right, n > 0);
    for (size_t i = 0; i < n; i++) {
        CLEW_STRING_BYTE(left + i);
        CLEW_STRING_BYTE(right + i);
        if (left[i] != right[i] || left[i] == 0) {
            return any_of_sign((unsigned char)left[i] - (unsigned char)right[i]);
        }
    }
    return 0;
}

int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, (size_t)-1);
}

/* In the C locale, the order of the bytes. */
int strcoll(const char *left, const char *right)
{
    if (__clew_foreign_locale()) {
        CLEW_STRING(left);
        CLEW_STRING(right);
        __clew_maybe_error();
        return __clew_nondet_int();
    }
    return strcmp(left, right);
}

/* In the C locale, a copy. What stands in the buffer when it is too small is unspecified. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    CLEW_STRING(from);
    size_t length = __clew_nul_position(from);
    if (n > 0) {
        CLEW_WRITES(to, n);
    }
    if (__clew_foreign_locale()) {
        length = __clew_nondet_size();
        __clew_maybe_error();
        if (n > 0) {
            __clew_havoc(to, n);
        }
        if (length < n) {
            to[length] = 0;
        }
        return length;
    }
    if (length < n) {
        __clew_require("overlap", __clew_disjoint(to, length + 1, from, length + 1));
        __clew_copy(to, from, length + 1);
    } else {
        __clew_havoc(to, n);
    }
    return length;
}

/* Exact loop: where the byte stands, or the NUL. */
char *strchrnul(const char *string, int byte)
{
    CLEW_READS(string, 1);
    while (*string != 0 && *string != (char)byte) {
        string++;
        CLEW_STRING_BYTE(string);
    }
    return (char *)string;
}

char *strchr(const char *string, int byte)
{
    char *found = strchrnul(string, byte);
    return *found == (char)byte ? found : NULL;
}

char *strrchr(const char *string, int byte)
{
    return memrchr(string, byte, strlen(string) + 1);
}

/* Exact loop: whether the byte, which is not NUL, is in the string. */
static int is_in(char byte, const char *set)
{
    while (*set != 0 && *set != byte) {
        set++;
    }
    return *set != 0;
}

/* Exact loop: how many bytes at the start are in the set, or are not. */
static size_t span(const char *string, const char *set, int belongs)
{
    size_t length = 0;
    while (string[length] != 0 && is_in(string[length], set) == belongs) {
        length++;
    }
    return length;
}

size_t strspn(const char *string, const char *set)
{
    CLEW_STRING(set);
    CLEW_STRING(string);
    return span(string, set, 1);
}

size_t strcspn(const char *string, const char *set)
{
    CLEW_STRING(set);
    CLEW_STRING(string);
    return span(string, set, 0);
}

char *strpbrk(const char *string, const char *set)
{
    const char *found = string + strcspn(string, set);
    return *found != 0 ? (char *)found : NULL;
}

char *strstr(const char *string, const char *wanted)
{
    CLEW_STRING(wanted);
    CLEW_STRING(string);
    return memmem(string, __clew_nul_position(string), wanted, __clew_nul_position(wanted));
}

/* The next token from `start` on; `*rest` becomes where to go on. */
static char *next_token(char *start, const char *set, char **rest)
{
    start += strspn(start, set);
    char *end = start + strcspn(start, set);
    *rest = end;
    if (end == start) {
        return NULL;
    }
    if (*end != 0) {
        __clew_require("write-to-const", __clew_writable(end, 1));
        *end = 0;
        *rest = end + 1;
    }
    return start;
}

char *strtok_r(char *restrict string, const char *restrict set, char **restrict rest)
{
    CLEW_WRITES(rest, sizeof *rest);
    char *start = string != NULL ? string : *rest;
    /* Null at the first call, with nothing to go on with. */
    __clew_require("bad-argument", __clew_not_null(start));
    return next_token(start, set, rest);
}

char *strtok(char *restrict string, const char *restrict set)
{
    static char *rest;
    char *start = string != NULL ? string : rest;
    __clew_require("bad-argument", __clew_not_null(start));
    return next_token(start, set, &rest);
}

char *strsep(char **restrict string, const char *restrict set)
{
    CLEW_WRITES(string, sizeof *string);
    char *start = *string;
    if (start == NULL) {
        return NULL;
    }
    char *end = start + strcspn(start, set);
    if (*end == 0) {
        *string = NULL;
    } else {
        __clew_require("write-to-const", __clew_writable(end, 1));
        *end = 0;
        *string = end + 1;
    }
    return start;
}

/* A copy of `length` bytes with a NUL behind them, or null. */
static char *duplicate(const char *from, size_t length)
{
    if (__clew_allocation_fails()) {
        errno = ENOMEM;
        return NULL;
    }
    char *copy = __clew_allocate(length + 1);
    __clew_copy(copy, from, length);
    copy[length] = 0;
    return copy;
}

char *strdup(const char *string)
{
    return duplicate(string, strlen(string));
}

char *strndup(const char *string, size_t most)
{
    return duplicate(string, length_within(string, most));
}

/* The text for a number that is none of an error lives until the next such call. */
char *__clew_unknown_error;

/* The texts are the library's own. Linux has errors up to 133. */
char *strerror(int error)
{
    if (error >= 0 && error <= 133) {
        return __clew_any_string();
    }
    if (__clew_unknown_error != NULL) {
        __clew_release(__clew_unknown_error);
    }
    __clew_unknown_error = __clew_any_string();
    return __clew_unknown_error;
}

char *strsignal(int signal)
{
    (void)signal;
    return __clew_any_string();
}

/* The POSIX form: glibc calls it by this name where strerror_r is not GNU's. */
int __xpg_strerror_r(int error, char *to, size_t n)
{
    (void)error;
    if (n > 0) {
        CLEW_WRITES(to, n);
        size_t length = __clew_nondet_size();
        __clew_assume(length < n);
        __clew_havoc(to, length);
        to[length] = 0;
    }
    return __clew_nondet_int();
}

/* GNU's form: a text of the library's own, the buffer as it was, or one in the buffer. */
char *strerror_r(int error, char *to, size_t n)
{
    if (n > 0) {
        CLEW_WRITES(to, n);
    }
    if (n == 0 || __clew_nondet_bool()) {
        return __clew_any_string();
    }
    __xpg_strerror_r(error, to, n);
    return to;
}
