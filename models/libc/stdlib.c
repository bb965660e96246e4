/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdlib.h> */
#include "clew.h"

#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)

int isspace(int c);

/* Memory may be exhausted at any time; the assumption malloc-succeeds says it is not. */
static void *exhausted(void)
{
    CLEW_ERRNO = CLEW_ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    if (size > (size_t)-1 / 2 || __clew_nondet_int())
        return exhausted();
    return __clew_allocate(size);
}

void *calloc(size_t nmemb, size_t size)
{
    if (size != 0 && nmemb > (size_t)-1 / 2 / size)
        return exhausted();
    void *fresh = malloc(nmemb * size);
    if (fresh != NULL)
        __clew_fill(fresh, 0, nmemb * size);
    return fresh;
}

void free(void *ptr)
{
    __clew_require("invalid-free", __clew_alloc_base(ptr));
    if (ptr != NULL)
        __clew_release(ptr);
}

void *realloc(void *ptr, size_t size)
{
    if (ptr == NULL)
        return malloc(size);
    __clew_require("invalid-free", __clew_alloc_base(ptr));
    if (size == 0) {
        __clew_release(ptr);
        return NULL;
    }
    void *fresh = malloc(size);
    if (fresh == NULL)
        return NULL;
    size_t old = __clew_object_size(ptr);
    __clew_copy(fresh, ptr, old < size ? old : size);
    __clew_release(ptr);
    return fresh;
}

void *reallocarray(void *ptr, size_t nmemb, size_t size)
{
    if (size != 0 && nmemb > (size_t)-1 / 2 / size)
        return exhausted();
    return realloc(ptr, nmemb * size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    __clew_require("bad-argument", alignment != 0 && (alignment & (alignment - 1)) == 0);
    return malloc(size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    CLEW_WRITES(memptr, sizeof *memptr);
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return CLEW_EINVAL;
    if (__clew_nondet_int())
        return CLEW_ENOMEM;
    *memptr = __clew_allocate(size);
    return 0;
}

/* The value of a digit, or 99. */
static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* Reads a magnitude: where it ends (null: there is none), its sign, and whether it fits unsigned long. */
static const char *scan(const char *s, int base, int *negative, unsigned long *magnitude, int *fits)
{
    while (isspace((unsigned char)*s))
        s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = s[0] == '0' ? 8 : 10;
    }
    *magnitude = 0;
    *fits = 1;
    const char *start = s;
    for (; digit(*s) < base; s++) {
        unsigned long next = (unsigned long)digit(*s);
        if (*magnitude > (ULONG_MAX - next) / (unsigned long)base)
            *fits = 0;
        else
            *magnitude = *magnitude * (unsigned long)base + next;
    }
    return s == start ? NULL : s;
}

long strtol(const char *restrict nptr, char **restrict endptr, int base)
{
    int negative, fits;
    unsigned long magnitude;
    CLEW_STRING(nptr);
    __clew_require("bad-argument", base == 0 || (base >= 2 && base <= 36));
    const char *end = scan(nptr, base, &negative, &magnitude, &fits);
    if (endptr != NULL) {
        CLEW_WRITES(endptr, sizeof *endptr);
        *endptr = (char *)(end ? end : nptr);
    }
    if (end == NULL)
        return 0;
    unsigned long limit = negative ? (unsigned long)LONG_MAX + 1 : (unsigned long)LONG_MAX;
    if (!fits || magnitude > limit) {
        CLEW_ERRNO = CLEW_ERANGE;
        return negative ? LONG_MIN : LONG_MAX;
    }
    if (negative)
        return magnitude == limit ? LONG_MIN : -(long)magnitude;
    return (long)magnitude;
}

unsigned long strtoul(const char *restrict nptr, char **restrict endptr, int base)
{
    int negative, fits;
    unsigned long magnitude;
    CLEW_STRING(nptr);
    __clew_require("bad-argument", base == 0 || (base >= 2 && base <= 36));
    const char *end = scan(nptr, base, &negative, &magnitude, &fits);
    if (endptr != NULL) {
        CLEW_WRITES(endptr, sizeof *endptr);
        *endptr = (char *)(end ? end : nptr);
    }
    if (end == NULL)
        return 0;
    if (!fits) {
        CLEW_ERRNO = CLEW_ERANGE;
        return ULONG_MAX;
    }
    return negative ? -magnitude : magnitude;
}

long long strtoll(const char *restrict nptr, char **restrict endptr, int base)
{
    return strtol(nptr, endptr, base);
}

unsigned long long strtoull(const char *restrict nptr, char **restrict endptr, int base)
{
    return strtoul(nptr, endptr, base);
}

/* C gives atol no meaning where the number does not fit. */
long atol(const char *nptr)
{
    int negative, fits;
    unsigned long magnitude;
    CLEW_STRING(nptr);
    if (scan(nptr, 10, &negative, &magnitude, &fits) == NULL)
        return 0;
    unsigned long limit = negative ? (unsigned long)LONG_MAX + 1 : (unsigned long)LONG_MAX;
    __clew_require("bad-argument", fits && magnitude <= limit);
    if (negative)
        return magnitude == limit ? LONG_MIN : -(long)magnitude;
    return (long)magnitude;
}

long long atoll(const char *nptr)
{
    return atol(nptr);
}

int atoi(const char *nptr)
{
    long value = atol(nptr);
    __clew_require("bad-argument", value >= INT_MIN && value <= INT_MAX);
    return (int)value;
}

/* Where the number ends and what it is lies between the text's bounds; the engines do not read decimal fractions. */
double strtod(const char *restrict nptr, char **restrict endptr)
{
    CLEW_STRING(nptr);
    size_t used = __clew_nondet_size();
    __clew_assume(used <= __clew_nul_position(nptr));
    if (endptr != NULL) {
        CLEW_WRITES(endptr, sizeof *endptr);
        *endptr = (char *)nptr + used;
    }
    if (used == 0)
        return 0;
    return __clew_nondet_double();
}

double atof(const char *nptr)
{
    return strtod(nptr, NULL);
}

int abs(int j)
{
    __clew_require("signed-overflow", j != INT_MIN);
    return j < 0 ? -j : j;
}

long labs(long j)
{
    __clew_require("signed-overflow", j != LONG_MIN);
    return j < 0 ? -j : j;
}

long long llabs(long long j)
{
    return labs(j);
}

typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;

div_t div(int numerator, int denominator)
{
    __clew_require("division-by-zero", denominator != 0);
    __clew_require("signed-overflow", numerator != INT_MIN || denominator != -1);
    div_t result = {numerator / denominator, numerator % denominator};
    return result;
}

ldiv_t ldiv(long numerator, long denominator)
{
    __clew_require("division-by-zero", denominator != 0);
    __clew_require("signed-overflow", numerator != LONG_MIN || denominator != -1);
    ldiv_t result = {numerator / denominator, numerator % denominator};
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    ldiv_t half = ldiv(numerator, denominator);
    lldiv_t result = {half.quot, half.rem};
    return result;
}

/* Binary search exactly as glibc probes, so that the comparison sees the same elements. */
void *bsearch(const void *key, const void *base, size_t nmemb, size_t size,
              int (*compar)(const void *, const void *))
{
    __clew_require("bad-argument", compar != NULL);
    if (nmemb == 0)
        return NULL;
    CLEW_READS(base, nmemb * size);
    size_t low = 0, high = nmemb;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compar(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return NULL;
}

static void swap(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

/* C does not say which algorithm, nor the order of equal elements; insertion is stable, as glibc's merge sort is. */
void qsort(void *base, size_t nmemb, size_t size, int (*compar)(const void *, const void *))
{
    __clew_require("bad-argument", compar != NULL);
    if (nmemb == 0)
        return;
    CLEW_WRITES(base, nmemb * size);
    char *elements = base;
    for (size_t i = 1; i < nmemb; i++)
        for (size_t j = i; j > 0 && compar(elements + (j - 1) * size, elements + j * size) > 0; j--)
            swap(elements + (j - 1) * size, elements + j * size, size);
}

#define RAND_MAX 2147483647

int rand(void)
{
    int value = __clew_nondet_int();
    __clew_assume(value >= 0);
    return value;
}

void srand(unsigned seed)
{
    (void)seed;
}

int rand_r(unsigned *seedp)
{
    CLEW_WRITES(seedp, sizeof *seedp);
    __clew_havoc(seedp, sizeof *seedp);
    return rand();
}

long random(void)
{
    return rand();
}

void srandom(unsigned seed)
{
    (void)seed;
}

/* Some string of the environment, or none. */
char *getenv(const char *name)
{
    static char value[256];
    CLEW_STRING(name);
    if (__clew_nondet_int())
        return NULL;
    __clew_havoc(value, sizeof value);
    value[sizeof value - 1] = 0;
    return value;
}
