/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdlib.h>: numbers in text. Integers are exact loops, since programs branch on them; a float is any. */
#include "clew.h"

#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (2ULL * LLONG_MAX + 1)

/* An integer in text. */
struct integer {
    unsigned long long magnitude; /* capped at ULLONG_MAX */
    int negative;
    int overflows; /* the magnitude does not fit */
    size_t length; /* bytes used; 0 if there is no number */
};

/* The value of a digit; 36 if it is none. */
static int digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

/* Exact loop: white space, a sign and the prefix that the base allows. Returns where the digits start. */
static size_t prefix(const char *string, int *base, int *negative)
{
    size_t at = 0;
    while (string[at] == ' ' || (string[at] >= '\t' && string[at] <= '\r')) {
        at++;
    }
    *negative = string[at] == '-';
    if (string[at] == '-' || string[at] == '+') {
        at++;
    }
    int has_x = string[at] == '0' && (string[at + 1] == 'x' || string[at + 1] == 'X');
    /* "0x" without a digit behind it is the number 0. */
    if (has_x && (*base == 0 || *base == 16) && digit_value(string[at + 2]) < 16) {
        *base = 16;
        return at + 2;
    }
    if (*base == 0) {
        *base = string[at] == '0' ? 8 : 10;
    }
    return at;
}

/* Exact loop. */
static struct integer parse(const char *string, int base)
{
    struct integer found = {0, 0, 0, 0};
    size_t at = prefix(string, &base, &found.negative);
    unsigned long long limit = ULLONG_MAX / (unsigned)base;
    for (int digit = digit_value(string[at]); digit < base; digit = digit_value(string[at])) {
        if (found.magnitude > limit || found.magnitude * (unsigned)base > ULLONG_MAX - (unsigned)digit) {
            found.overflows = 1;
        } else {
            found.magnitude = found.magnitude * (unsigned)base + (unsigned)digit;
        }
        at++;
        found.length = at;
    }
    return found;
}

/* In another locale other bytes may be white space, and other forms numbers. */
static struct integer any_number(const char *string)
{
    struct integer found = {(unsigned long)__clew_nondet_long(), __clew_nondet_bool(), __clew_nondet_bool(), 0};
    found.length = __clew_nondet_size();
    __clew_assume(found.length <= __clew_nul_position(string));
    return found;
}

/* The string and the base are right; says where the number ends. */
static struct integer number(const char *string, char **end, int base)
{
    CLEW_STRING(string);
    __clew_require("bad-argument", base == 0 || (base >= 2 && base <= 36));
    struct integer found = __clew_foreign_locale() ? any_number(string) : parse(string, base);
    if (found.length == 0 && __clew_nondet_bool()) {
        errno = EINVAL; /* POSIX allows it where there is no number */
    }
    if (end != NULL) {
        CLEW_WRITES(end, sizeof *end);
        *end = (char *)string + found.length;
    }
    return found;
}

/* The value with its sign, or the nearest limit. */
static long long limited(struct integer found, long long max, int *out_of_range)
{
    unsigned long long limit = (unsigned long long)max + (unsigned)found.negative;
    *out_of_range = found.overflows || found.magnitude > limit;
    if (!found.negative) {
        return *out_of_range ? max : (long long)found.magnitude;
    }
    /* The most negative value has no positive counterpart. */
    return *out_of_range || found.magnitude == limit ? -max - 1 : -(long long)found.magnitude;
}

static long long to_signed(const char *string, char **end, int base, long long max)
{
    int out_of_range = 0;
    long long value = limited(number(string, end, base), max, &out_of_range);
    if (out_of_range) {
        errno = ERANGE;
    }
    return value;
}

/* A minus sign is allowed, and negates in the unsigned type. */
static unsigned long long to_unsigned(const char *string, char **end, int base, unsigned long long max)
{
    struct integer found = number(string, end, base);
    if (found.overflows || found.magnitude > max) {
        errno = ERANGE;
        return max;
    }
    return found.negative && found.magnitude != 0 ? max - found.magnitude + 1 : found.magnitude;
}

long strtol(const char *restrict string, char **restrict end, int base)
{
    return to_signed(string, end, base, __LONG_MAX__);
}

long long strtoll(const char *restrict string, char **restrict end, int base)
{
    return to_signed(string, end, base, LLONG_MAX);
}

unsigned long strtoul(const char *restrict string, char **restrict end, int base)
{
    return to_unsigned(string, end, base, 2UL * __LONG_MAX__ + 1);
}

unsigned long long strtoull(const char *restrict string, char **restrict end, int base)
{
    return to_unsigned(string, end, base, ULLONG_MAX);
}

/* What newer glibc headers call in the same places. */
long __isoc23_strtol(const char *restrict string, char **restrict end, int base)
{
    return strtol(string, end, base);
}

long long __isoc23_strtoll(const char *restrict string, char **restrict end, int base)
{
    return strtoll(string, end, base);
}

unsigned long __isoc23_strtoul(const char *restrict string, char **restrict end, int base)
{
    return strtoul(string, end, base);
}

unsigned long long __isoc23_strtoull(const char *restrict string, char **restrict end, int base)
{
    return strtoull(string, end, base);
}

/* C leaves undefined what these do with a number that does not fit. */
static long long fitting(const char *string, long long max)
{
    int out_of_range = 0;
    long long value = limited(number(string, NULL, 10), max, &out_of_range);
    __clew_require("bad-argument", !out_of_range);
    return value;
}

int atoi(const char *string)
{
    return (int)fitting(string, __INT_MAX__);
}

long atol(const char *string)
{
    return fitting(string, __LONG_MAX__);
}

long long atoll(const char *string)
{
    return fitting(string, LLONG_MAX);
}

/* Some prefix of the string is a number, or none is and the result is 0. */
static size_t float_length(const char *string, char **end)
{
    CLEW_STRING(string);
    size_t length = __clew_nondet_size();
    __clew_assume(length <= __clew_nul_position(string));
    if (end != NULL) {
        CLEW_WRITES(end, sizeof *end);
        *end = (char *)string + length;
    }
    if (__clew_nondet_bool()) {
        errno = ERANGE;
    }
    return length;
}

double strtod(const char *restrict string, char **restrict end)
{
    return float_length(string, end) == 0 ? 0 : __clew_nondet_double();
}

float strtof(const char *restrict string, char **restrict end)
{
    return float_length(string, end) == 0 ? 0 : __clew_nondet_float();
}

long double strtold(const char *restrict string, char **restrict end)
{
    return float_length(string, end) == 0 ? 0 : __clew_nondet_long_double();
}

double atof(const char *string)
{
    return strtod(string, NULL);
}
