/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The models against the host's libc: the same random arguments to both, the same results and the same memory after.
 * The models are compiled with their names prefixed by model_. Then wrong arguments, which must violate the right check.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROUNDS 3000
#define SIZE 48

#define MODEL(result, name, ...) \
    extern result name(__VA_ARGS__); \
    extern result model_##name(__VA_ARGS__)

MODEL(void *, memcpy, void *, const void *, size_t);
MODEL(void *, mempcpy, void *, const void *, size_t);
MODEL(void *, memmove, void *, const void *, size_t);
MODEL(void *, memset, void *, int, size_t);
MODEL(int, memcmp, const void *, const void *, size_t);
extern void *model_memchr(const void *, int, size_t);
extern void *model_memrchr(const void *, int, size_t);
extern void *model_memmem(const void *, size_t, const void *, size_t);
extern void *model_memccpy(void *, const void *, int, size_t);
MODEL(size_t, strlen, const char *);
MODEL(size_t, strnlen, const char *, size_t);
MODEL(char *, strcpy, char *, const char *);
MODEL(char *, stpcpy, char *, const char *);
MODEL(char *, strncpy, char *, const char *, size_t);
MODEL(char *, strcat, char *, const char *);
MODEL(char *, strncat, char *, const char *, size_t);
MODEL(int, strcmp, const char *, const char *);
MODEL(int, strncmp, const char *, const char *, size_t);
MODEL(int, strcasecmp, const char *, const char *);
MODEL(int, strncasecmp, const char *, const char *, size_t);
extern char *model_strchr(const char *, int);
extern char *model_strrchr(const char *, int);
extern char *model_strchrnul(const char *, int);
MODEL(size_t, strspn, const char *, const char *);
MODEL(size_t, strcspn, const char *, const char *);
extern char *model_strpbrk(const char *, const char *);
extern char *model_strstr(const char *, const char *);
MODEL(char *, strtok_r, char *, const char *, char **);
MODEL(char *, strsep, char **, const char *);
extern char *model_strdup(const char *);
extern char *model_strndup(const char *, size_t);
extern void *model_malloc(size_t);
extern void *model_calloc(size_t, size_t);
extern void *model_realloc(void *, size_t);
extern void model_free(void *);
MODEL(long, strtol, const char *, char **, int);
MODEL(unsigned long, strtoul, const char *, char **, int);
extern int model_atoi(const char *);
extern int model_abs(int);
extern div_t model_div(int, int);
extern ldiv_t model_ldiv(long, long);
extern void *model_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
extern void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern int *model___errno_location(void);
extern double model_fabs(double), model_trunc(double), model_floor(double), model_ceil(double), model_round(double);
extern double model_rint(double), model_fmin(double, double), model_fmax(double, double), model_fdim(double, double);
extern double model_copysign(double, double), model_sqrt(double), model_fmod(double, double);
extern long model_lround(double), model_lrint(double);
extern int model_isalpha(int), model_isdigit(int), model_isalnum(int), model_isspace(int), model_isupper(int);
extern int model_islower(int), model_isxdigit(int), model_isprint(int), model_isgraph(int), model_ispunct(int);
extern int model_iscntrl(int), model_isblank(int), model_tolower(int), model_toupper(int);
extern char *model_fgets(char *, int, void *);
extern long model_read(int, void *, size_t);
extern long model_write(int, const void *, size_t);
extern int model_ffs(int), model_ffsl(long);

static unsigned long state = 88172645463325252ul;
static int failures;

static unsigned random_below(unsigned bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % bound;
}

static void report(const char *what, int line)
{
    if (failures++ < 20)
        printf("line %d: %s\n", line, what);
}

#define SAME(condition)                    \
    do {                                   \
        if (!(condition))                  \
            report(#condition, __LINE__); \
    } while (0)

/* A call that must meet all its requirements. */
#define GOOD(call)                                      \
    do {                                                \
        violated = NULL;                                \
        if (setjmp(on_violation) == 0)                  \
            call;                                       \
        if (violated != NULL)                           \
            report(#call " is said to be wrong", __LINE__); \
    } while (0)

/* A call that must violate this check. */
#define BAD(check, call)                                       \
    do {                                                       \
        violated = NULL;                                       \
        if (setjmp(on_violation) == 0)                         \
            (void)(call);                                      \
        if (violated == NULL || strcmp(violated, check) != 0)  \
            report(#call " must violate " check, __LINE__);    \
    } while (0)

/* Two equal buffers, one for each side. */
static char ours[SIZE], theirs[SIZE], other[SIZE], set[8];

/* Letters of a small alphabet, so that searches find something, and a NUL somewhere. */
static void fill(char *buffer, size_t size, int terminated)
{
    static const char letters[] = "aAbBc,; \xe4";
    for (size_t i = 0; i < size; i++)
        buffer[i] = letters[random_below(sizeof letters - 1)];
    if (terminated)
        buffer[random_below((unsigned)size)] = 0;
}

static void prepare(void)
{
    shim_reset();
    fill(ours, SIZE, 1);
    memcpy(theirs, ours, SIZE);
    fill(other, SIZE, 1);
    fill(set, sizeof set, 1);
    shim_object(ours, SIZE);
    shim_object(theirs, SIZE);
    shim_object(other, SIZE);
    shim_object(set, sizeof set);
}

/* Null or the offset in its buffer. */
static long offset(const void *p, const void *base)
{
    return p == NULL ? -1 : (const char *)p - (const char *)base;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void copies(void)
{
    char *model = NULL, *host = NULL;
    size_t n = random_below(SIZE / 2), at = random_below(SIZE / 2), from = random_below(SIZE / 2);
    int c = (int)random_below(256);
    prepare();
#define COPY(expression_model, expression_host)             \
    do {                                                    \
        GOOD(model = expression_model);                     \
        host = expression_host;                             \
        SAME(offset(model, ours) == offset(host, theirs));  \
        SAME(memcmp(ours, theirs, SIZE) == 0);              \
    } while (0)
    COPY(model_memcpy(ours + at, other + from, n), memcpy(theirs + at, other + from, n));
    COPY(model_mempcpy(ours + at, other + from, n), mempcpy(theirs + at, other + from, n));
    COPY(model_memmove(ours + at, ours + from, n), memmove(theirs + at, theirs + from, n));
    COPY(model_memset(ours + at, c, n), memset(theirs + at, c, n));
    COPY(model_memccpy(ours + at, other + from, 'c', n), memccpy(theirs + at, other + from, 'c', n));
    prepare();
    COPY(model_strncpy(ours + at, other, n), strncpy(theirs + at, other, n));
    prepare();
    other[random_below(20)] = 0;
    COPY(model_strcpy(ours, other), strcpy(theirs, other));
    COPY(model_stpcpy(ours, other), stpcpy(theirs, other));
    prepare();
    ours[10] = theirs[10] = 0;
    other[20] = 0;
    COPY(model_strncat(ours, other, n), strncat(theirs, other, n));
    prepare();
    ours[10] = theirs[10] = 0;
    other[20] = 0;
    COPY(model_strcat(ours, other), strcat(theirs, other));
}

static void searches(void)
{
    const void *model = NULL;
    size_t n = random_below(SIZE), count = 0;
    int c = "aAbBc,; \xe4"[random_below(10)], value = 0;
    prepare();
#define FIND(expression_model, expression_host)          \
    do {                                                 \
        GOOD(model = expression_model);                  \
        SAME(model == (const void *)(expression_host));  \
    } while (0)
#define COUNT(expression_model, expression_host) \
    do {                                         \
        GOOD(count = expression_model);          \
        SAME(count == (expression_host));        \
    } while (0)
#define ORDER(expression_model, expression_host)      \
    do {                                              \
        GOOD(value = expression_model);               \
        SAME(sign(value) == sign(expression_host));   \
    } while (0)
    FIND(model_memchr(ours, c, n), memchr(ours, c, n));
    FIND(model_memrchr(ours, c, n), memrchr(ours, c, n));
    FIND(model_memmem(ours, n, set, 1 + n % 3), memmem(ours, n, set, 1 + n % 3));
    FIND(model_strchr(ours, c), strchr(ours, c));
    FIND(model_strrchr(ours, c), strrchr(ours, c));
    FIND(model_strchrnul(ours, c), strchrnul(ours, c));
    FIND(model_strpbrk(ours, set), strpbrk(ours, set));
    FIND(model_strstr(ours, set), strstr(ours, set));
    COUNT(model_strlen(ours), strlen(ours));
    COUNT(model_strnlen(ours, n), strnlen(ours, n));
    COUNT(model_strspn(ours, set), strspn(ours, set));
    COUNT(model_strcspn(ours, set), strcspn(ours, set));
    /* Equal starts make comparisons go further than one byte. */
    memcpy(other, ours, n / 2);
    ORDER(model_memcmp(ours, other, n), memcmp(ours, other, n));
    ORDER(model_strcmp(ours, other), strcmp(ours, other));
    ORDER(model_strncmp(ours, other, n), strncmp(ours, other, n));
    ORDER(model_strcasecmp(ours, other), strcasecmp(ours, other));
    ORDER(model_strncasecmp(ours, other, n), strncasecmp(ours, other, n));
    int bits = (int)state;
    SAME(model_ffs(bits) == ffs(bits) && model_ffsl((long)state) == ffsl((long)state));
}

static void tokens(void)
{
    char *model = NULL, *host, *model_next = NULL, *host_next = NULL;
    prepare();
    shim_object(&model_next, sizeof model_next);
    for (int first = 1;; first = 0) {
        GOOD(model = model_strtok_r(first ? ours : NULL, set, &model_next));
        host = strtok_r(first ? theirs : NULL, set, &host_next);
        SAME(offset(model, ours) == offset(host, theirs));
        if (model == NULL || host == NULL)
            break;
    }
    SAME(memcmp(ours, theirs, SIZE) == 0);
    model_next = ours;
    host_next = theirs;
    for (int i = 0; i < SIZE; i++) {
        GOOD(model = model_strsep(&model_next, set));
        host = strsep(&host_next, set);
        SAME(offset(model, ours) == offset(host, theirs));
    }
    SAME(memcmp(ours, theirs, SIZE) == 0);
}

static void numbers(void)
{
    static const char *const starts[] = {"", " ", "-", "+", " -0x", "0x", "0", "-0", "9223372036854775", "\t18446744073709551"};
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    char text[64], *model_end = NULL, *host_end = NULL;
    int base = bases[random_below(6)];
    shim_reset();
    snprintf(text, sizeof text, "%s%u%c", starts[random_below(10)], random_below(3) ? random_below(100000) : 0, "zfx9 "[random_below(5)]);
    shim_object(text, sizeof text);
    shim_object(&model_end, sizeof model_end);
    long model = 0, host;
    unsigned long model_u = 0, host_u;
    *model___errno_location() = errno = 0;
    GOOD(model = model_strtol(text, &model_end, base));
    host = strtol(text, &host_end, base);
    SAME(model == host && model_end == host_end && *model___errno_location() == errno);
    *model___errno_location() = errno = 0;
    GOOD(model_u = model_strtoul(text, &model_end, base));
    host_u = strtoul(text, &host_end, base);
    SAME(model_u == host_u && model_end == host_end && *model___errno_location() == errno);
    snprintf(text, sizeof text, " %d;", (int)state);
    int small = 0;
    GOOD(small = model_atoi(text));
    SAME(small == atoi(text));
    int a = (int)(state >> 7) >> random_below(31), b = (int)(state >> 11) >> random_below(31);
    if (b != 0 && (b != -1 || a > -2147483647)) {
        div_t ours_result = {0, 0}, theirs_result = div(a, b);
        GOOD(ours_result = model_div(a, b));
        SAME(ours_result.quot == theirs_result.quot && ours_result.rem == theirs_result.rem);
    }
}

static int by_first_byte(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void sorting(void)
{
    size_t size = 1 + random_below(5), count = random_below((unsigned)(SIZE / size) + 1);
    void *found = NULL;
    prepare();
    GOOD(model_qsort(ours, count, size, by_first_byte));
    qsort(theirs, count, size, by_first_byte);
    SAME(memcmp(ours, theirs, SIZE) == 0);
    GOOD(found = model_bsearch(other, ours, count, size, by_first_byte));
    SAME(offset(found, ours) == offset(bsearch(other, theirs, count, size, by_first_byte), theirs));
}

static void allocation(void)
{
    char *p = NULL;
    size_t n = 1 + random_below(100);
    shim_reset();
    GOOD(p = model_calloc(n, 3));
    for (size_t i = 0; i < 3 * n; i++)
        SAME(p[i] == 0);
    memset(p, 7, 3 * n);
    GOOD(p = model_realloc(p, 5 * n));
    SAME(p[3 * n - 1] == 7);
    BAD("invalid-free", (model_free(p + 1), 0));
    GOOD(model_free(p));
    fill(other, SIZE, 1);
    shim_object(other, SIZE);
    GOOD(p = model_strdup(other));
    SAME(strcmp(p, other) == 0);
    GOOD(model_free(p));
    GOOD(p = model_strndup(other, n));
    SAME(strncmp(p, other, n) == 0 && strlen(p) <= n);
    nondet_int_value = 1;
    GOOD(p = model_malloc(n));
    SAME(p == NULL);
}

/* Equal, with all NaNs the same and zeros told apart. */
static int same_double(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void floats(void)
{
    static const double special[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 4503599627370495.5, 4503599627370497.0, 1e300,
                                     -1e300, 5e-324, INFINITY, -INFINITY, NAN, 0.49999999999999994, -0.9999999999999999};
    double x, y, result = 0;
    memcpy(&x, &state, sizeof x);
    y = (double)random_below(2000) / 4 - 250;
    if (random_below(2))
        x = special[random_below(sizeof special / sizeof *special)];
    else if (random_below(2))
        x = (double)random_below(100000) / 64 - 700;
#define FLOAT(function)                              \
    do {                                             \
        GOOD(result = model_##function(x));          \
        SAME(same_double(result, function(x)));      \
    } while (0)
    FLOAT(fabs);
    FLOAT(trunc);
    FLOAT(floor);
    FLOAT(ceil);
    FLOAT(round);
    FLOAT(rint);
    GOOD(result = model_copysign(x, y));
    SAME(same_double(result, copysign(x, y)));
    GOOD(result = model_fdim(x, y));
    SAME(same_double(result, fdim(x, y)));
    if (x != 0 || y != 0) {
        GOOD(result = model_fmin(x, y));
        SAME(same_double(result, fmin(x, y)));
        GOOD(result = model_fmax(x, y));
        SAME(same_double(result, fmax(x, y)));
    }
    if (fabs(x) < 1e18) {
        long whole = 0;
        GOOD(whole = model_lround(x));
        SAME(whole == lround(x));
        GOOD(whole = model_lrint(x));
        SAME(whole == lrint(x));
    }
}

static void characters(void)
{
    for (int c = -1; c < 256; c++) {
#define CLASS(name) SAME(!model_##name(c) == !name(c))
        CLASS(isalpha);
        CLASS(isdigit);
        CLASS(isalnum);
        CLASS(isspace);
        CLASS(isupper);
        CLASS(islower);
        CLASS(isxdigit);
        CLASS(isprint);
        CLASS(isgraph);
        CLASS(ispunct);
        CLASS(iscntrl);
        CLASS(isblank);
        SAME(model_tolower(c) == tolower(c) && model_toupper(c) == toupper(c));
    }
}

/* Arguments that C excludes. */
static void wrong(void)
{
    static char *no_string;
    prepare();
    shim_object(&no_string, sizeof no_string);
    memset(ours, 'x', SIZE);
    memset(other, 0, SIZE);
    BAD("null-deref", model_strlen(NULL));
    BAD("string-not-terminated", model_strlen(ours));
    BAD("out-of-bounds", model_memcpy(ours + 40, other, 9));
    BAD("out-of-bounds", model_memcpy(ours, other + 1, SIZE));
    BAD("overlap", model_memcpy(ours, ours + 4, 8));
    GOOD(model_memmove(ours, ours + 4, 8));
    BAD("null-deref", model_memset(NULL, 0, 1));
    BAD("out-of-bounds", model_memchr(ours, 'y', SIZE + 1));
    GOOD(model_memchr(ours, 'x', SIZE + 100));
    BAD("string-not-terminated", model_strcmp(ours, ours));
    GOOD(model_strncmp(ours, ours, SIZE));
    memset(other, 'y', SIZE - 1);
    BAD("out-of-bounds", model_strcpy(ours + 1, other));
    BAD("string-not-terminated", model_strcat(ours, other));
    BAD("bad-argument", model_isalpha(256));
    BAD("bad-argument", model_toupper(-2));
    BAD("bad-argument", model_strtol(other, NULL, 1));
    BAD("bad-argument", model_strtok_r(NULL, other, &no_string));
    BAD("signed-overflow", model_abs(-2147483647 - 1));
    BAD("division-by-zero", (model_div(1, 0), 0));
    BAD("signed-overflow", (model_ldiv(-__LONG_MAX__ - 1, -1), 0));
    BAD("bad-argument", (model_qsort(ours, 2, 1, NULL), 0));
    BAD("out-of-bounds", (model_qsort(ours, SIZE + 1, 1, by_first_byte), 0));
    BAD("invalid-free", (model_free(ours), 0));
    BAD("float-invalid", model_sqrt(-1));
    BAD("float-invalid", model_fmod(1, 0));
    BAD("out-of-bounds", model_read(0, ours, SIZE + 1));
    BAD("null-deref", model_write(1, NULL, 1));
    BAD("null-deref", model_fgets(ours, 4, NULL));
}

int main(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        copies();
        searches();
        tokens();
        numbers();
        sorting();
        allocation();
        floats();
    }
    characters();
    wrong();
    printf("%d failures\n", failures);
    return failures != 0;
}
