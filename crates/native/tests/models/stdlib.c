/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdlib.h> and <assert.h> against the host. */
#define _GNU_SOURCE
#include "shim.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

void *model_malloc(size_t), *model_calloc(size_t, size_t), *model_realloc(void *, size_t);
void *model_reallocarray(void *, size_t, size_t), *model_aligned_alloc(size_t, size_t);
int model_posix_memalign(void **, size_t, size_t);
void model_free(void *);
int model_abs(int);
long model_labs(long);
long long model_llabs(long long);
div_t model_div(int, int);
ldiv_t model_ldiv(long, long);
lldiv_t model_lldiv(long long, long long);
int model_rand(void), model_rand_r(unsigned *);
double model_drand48(void);
char *model_getenv(const char *);
int model_atexit(void (*)(void));
void model_exit(int), model_abort(void);
void model___assert_fail(const char *, const char *, unsigned, const char *);
typedef int comparison(const void *, const void *);
void model_qsort(void *, size_t, size_t, comparison *);
void *model_bsearch(const void *, const void *, size_t, size_t, comparison *);
int *model___errno_location(void);

static void allocation(void)
{
    unsigned char *volatile p = NULL, *volatile q = NULL;
    size_t n = random_below(50), m = 1 + random_below(50);
    shim_reset();
    GOOD(p = model_malloc(n));
    SAME(p != NULL && shim_live_heap() == 1);
    for (size_t i = 0; i < n; i++) {
        p[i] = (unsigned char)i;
    }
    GOOD(q = model_realloc(p, m));
    SAME(q != NULL && q != p && shim_live_heap() == 1);
    for (size_t i = 0; i < n && i < m; i++) {
        SAME(q[i] == i);
    }
    GOOD(p = model_reallocarray(q, m, 2));
    GOOD(model_free(p));
    GOOD(model_free(NULL));
    GOOD(p = model_realloc(NULL, m));
    GOOD(q = model_realloc(p, 0));
    SAME(q == NULL && shim_live_heap() == 0);
    GOOD(p = model_calloc(n, m));
    for (size_t i = 0; i < n * m; i++) {
        SAME(p[i] == 0);
    }
}

static void exhaustion(void)
{
    void *volatile p = NULL, *place = NULL;
    volatile int error = 0;
    shim_reset();
    *model___errno_location() = 0;
    GOOD(p = model_malloc((size_t)PTRDIFF_MAX + 1));
    SAME(p == NULL && *model___errno_location() == ENOMEM);
    GOOD(p = model_calloc(SIZE_MAX / 2, 3));
    SAME(p == NULL);
    GOOD(p = model_reallocarray(NULL, SIZE_MAX / 2, 3));
    SAME(p == NULL);
    tape_bool(1);
    GOOD(p = model_malloc(1));
    SAME(p == NULL);
    GOOD(p = model_malloc(8));
    tape_bool(1);
    void *volatile same = NULL;
    GOOD(same = model_realloc(p, 16));
    SAME(same == NULL && shim_live_heap() == 1);
    GOOD(p = model_aligned_alloc(64, 100));
    SAME(p != NULL && (uintptr_t)p % 64 == 0);
    shim_object(&place, sizeof place);
    GOOD(error = model_posix_memalign(&place, 32, 10));
    SAME(error == 0 && place != NULL);
    GOOD(error = model_posix_memalign(&place, 3, 10));
    SAME(error == EINVAL);
    tape_bool(0); /* errno stays */
    tape_bool(1);
    GOOD(error = model_posix_memalign(&place, 32, 10));
    SAME(error == ENOMEM);
}

static void planted(void)
{
    char *volatile p = NULL, local[4];
    shim_reset();
    shim_object(local, sizeof local);
    GOOD(p = model_malloc(4));
    BAD("invalid-free", model_free(p + 1));
    BAD("invalid-free", model_free(local));
    BAD("invalid-free", model_realloc(local, 1));
    GOOD(model_free(p));
    BAD("double-free", model_free(p));
    BAD("double-free", model_realloc(p, 1));
    BAD("bad-argument", model_aligned_alloc(3, 1));
    BAD("error-call", model_abort());
    BAD("assertion", model___assert_fail("0", "file", 1, "function"));
    BAD("bad-argument", model_qsort(local, 2, 2, NULL));
    BAD("out-of-bounds", model_qsort(local, 3, 2, (comparison *)strcmp));
    BAD("out-of-bounds", model_bsearch(local, local, SIZE_MAX, 2, (comparison *)strcmp));
}

/* By the number; the tag tells equal ones apart. */
struct item {
    short number, tag;
};

static int by_number(const void *left, const void *right)
{
    return ((const struct item *)left)->number - ((const struct item *)right)->number;
}

static void sorting(void)
{
    struct item ours[20], theirs[20], key = {(short)random_below(12), 0}, *volatile model = NULL;
    size_t n = random_below(20);
    shim_reset();
    shim_object(ours, sizeof ours);
    for (size_t i = 0; i < n; i++) {
        ours[i] = (struct item){(short)random_below(10), (short)i};
    }
    memcpy(theirs, ours, sizeof ours);
    /* The host may leave equal ones in any order; glibc's merge sort keeps it, as falling booleans do. */
    GOOD(model_qsort(ours, n, sizeof *ours, by_number));
    qsort(theirs, n, sizeof *theirs, by_number);
    for (size_t i = 0; i < n; i++) {
        SAME(ours[i].number == theirs[i].number);
    }
    const struct item *host = bsearch(&key, theirs, n, sizeof key, by_number);
    GOOD(model = model_bsearch(&key, ours, n, sizeof key, by_number));
    SAME((model == NULL) == (host == NULL));
    SAME(model == NULL || (model->number == key.number && model >= ours && model < ours + n));
    /* With the other choice for equal ones it still sorts, and loses none. */
    shim_bool = 1;
    GOOD(model_qsort(ours, n, sizeof *ours, by_number));
    unsigned tags = 0;
    for (size_t i = 0; i < n; i++) {
        SAME(ours[i].number == theirs[i].number);
        tags |= 1u << ours[i].tag;
    }
    SAME(tags == (1u << n) - 1);
}

static void arithmetic(void)
{
    int a = (int)random_bits(), b = (int)random_below(2000) - 1000;
    long c = (long)random_bits(), d = (long)random_bits() >> random_below(60);
    if (a != INT_MIN && b != 0) {
        div_t model = model_div(a, b), host = div(a, b);
        SAME(model.quot == host.quot && model.rem == host.rem && model_abs(a) == abs(a));
    }
    if (d != 0 && d != -1 && c != LONG_MIN) {
        ldiv_t model = model_ldiv(c, d), host = ldiv(c, d);
        lldiv_t longer = model_lldiv(c, d);
        SAME(model.quot == host.quot && model.rem == host.rem && longer.quot == host.quot && longer.rem == host.rem);
        SAME(model_labs(c) == labs(c) && model_llabs(c) == llabs(c));
    }
    volatile int value = 0;
    tape_int(rand());
    GOOD(value = model_rand());
    SAME(value >= 0);
    volatile double fraction = drand48();
    tape_float(fraction);
    double host = fraction;
    GOOD(fraction = model_drand48());
    SAME(fraction == host);
    tape_clear();
}

static int order[4], calls;

static void first(void)
{
    order[calls++] = 1;
}

static void second(void)
{
    order[calls++] = 2;
    model_atexit(first);
}

static void endings(void)
{
    char *volatile value = NULL;
    static const char name[] = "NAME";
    shim_reset();
    shim_object(name, sizeof name);
    GOOD(model_atexit(first));
    GOOD(model_atexit(second));
    SAME(RUN(model_exit(7)) == EXITED && shim_exit_status == 7);
    SAME(calls == 3 && order[0] == 2 && order[1] == 1 && order[2] == 1);
    GOOD(value = model_getenv(name));
    SAME(value == NULL);
    tape_bool(1);
    tape_size(5);
    tape_bytes("value", 5);
    GOOD(value = model_getenv(name));
    SAME(value != NULL && strcmp(value, "value") == 0);
}

void test_stdlib(void)
{
    for (int round = 0; round < 3000; round++) {
        allocation();
        sorting();
        arithmetic();
    }
    exhaustion();
    planted();
    endings();
}

long model_strtol(const char *, char **, int);
long long model_strtoll(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
double model_strtod(const char *, char **);
float model_strtof(const char *, char **);
long double model_strtold(const char *, char **);
int model_atoi(const char *);
long model_atol(const char *);
double model_atof(const char *);

/* Pieces of numbers in a row, near the limits too. */
static void make_number(char text[128])
{
    static const char *const pieces[] = {"", " ", "\t", "-", "+", "0", "0x", "0X", "1", "7", "8", "9", "a", "F", "z", "x",
                                         "2147483647", "2147483648", "9223372036854775807", "9223372036854775808",
                                         "18446744073709551615", "18446744073709551616", "777", "."};
    text[0] = 0;
    for (unsigned i = random_below(6); i > 0; i--) {
        strcat(text, pieces[random_below(sizeof pieces / sizeof *pieces)]);
    }
}

#define INTEGER(name)                                                         \
    do {                                                                      \
        volatile unsigned long model = 0;                                     \
        char *model_end = NULL, *host_end = NULL;                             \
        *model___errno_location() = errno = 0;                                \
        shim_reset();                                                         \
        shim_object(text, sizeof text);                                       \
        shim_object(&model_end, sizeof model_end);                            \
        GOOD(model = (unsigned long)model_##name(text, &model_end, base));    \
        SAME(model == (unsigned long)name(text, &host_end, base));            \
        SAME(model_end == host_end && *model___errno_location() == errno);    \
    } while (0)

static void integers(void)
{
    char text[128];
    int base = (int)random_below(38) - 1;
    base = base == 1 || base == -1 ? 0 : base == 3 ? 16 : base;
    make_number(text);
    INTEGER(strtol);
    INTEGER(strtoll);
    INTEGER(strtoul);
    INTEGER(strtoull);
    errno = 0;
    long value = strtol(text, NULL, 10);
    volatile long model = 0;
    if (errno == 0) {
        GOOD(model = model_atol(text));
        SAME(model == value);
    } else {
        BAD("bad-argument", model_atol(text));
    }
    if (errno == 0 && value >= INT_MIN && value <= INT_MAX) {
        GOOD(model = model_atoi(text));
        SAME(model == atoi(text));
    } else {
        BAD("bad-argument", model_atoi(text));
    }
}

/* The host's answer is one of the model's. */
#define FLOAT(name)                                                                             \
    do {                                                                                        \
        char *model_end = NULL, *host_end = NULL;                                               \
        long double host = name(text, &host_end);                                               \
        volatile long double model = 0;                                                         \
        shim_reset();                                                                           \
        shim_object(text, sizeof text);                                                         \
        shim_object(&model_end, sizeof model_end);                                              \
        tape_size((size_t)(host_end - text));                                                   \
        tape_float(host);                                                                       \
        GOOD(model = model_##name(text, &model_end));                                           \
        SAME(model_end == host_end && (model == host || (model != model && host != host)));     \
    } while (0)

void test_number(void)
{
    for (int round = 0; round < 20000; round++) {
        char text[128];
        integers();
        make_number(text);
        FLOAT(strtod);
        FLOAT(strtof);
        FLOAT(strtold);
    }
    char text[4] = {'1', '2', '3', '4'};
    shim_reset();
    shim_object(text, sizeof text);
    BAD("string-not-terminated", model_strtol(text, NULL, 10));
    BAD("string-not-terminated", model_atof(text));
    text[3] = 0;
    BAD("bad-argument", model_strtol(text, NULL, 1));
    BAD("bad-argument", model_strtoul(text, NULL, 37));
    BAD("null-deref", model_atoi(NULL));
}
