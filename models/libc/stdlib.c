/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdlib.h>: allocation, environment, pseudo-random numbers, arithmetic and the end of the program. */
#include "clew.h"

/* Memory may be exhausted at any call. */
int __clew_allocation_fails(void)
{
    return __clew_nondet_bool();
}

static void *exhausted(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    /* No object is larger than PTRDIFF_MAX. */
    if (size > __PTRDIFF_MAX__ || __clew_allocation_fails()) {
        return exhausted();
    }
    /* The system may have refused one way to it before it granted another: no branch, for there are many calls. */
    __clew_havoc(&errno, sizeof errno);
    return __clew_allocate(size);
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > __PTRDIFF_MAX__ / size) {
        return exhausted();
    }
    void *fresh = malloc(count * size);
    if (fresh != NULL) {
        __clew_fill(fresh, 0, count * size);
    }
    return fresh;
}

/* What may be freed. The calls of free and realloc carry this too; calls through a pointer do not. */
#define CLEW_RELEASABLE(p)                                    \
    do {                                                      \
        __clew_require("double-free", __clew_live(p));        \
        __clew_require("invalid-free", __clew_alloc_base(p)); \
    } while (0)

void free(void *old)
{
    CLEW_RELEASABLE(old);
    if (old != NULL) {
        __clew_release(old);
    }
}

/* The object always moves: a program may not rely on its staying. */
void *__clew_reallocate(void *old, size_t size)
{
    if (old == NULL) {
        return malloc(size);
    }
    CLEW_RELEASABLE(old);
    void *fresh = NULL;
    if (size > 0) {
        fresh = malloc(size);
        if (fresh == NULL) {
            return NULL;
        }
        size_t kept = __clew_object_size(old);
        __clew_copy(fresh, old, kept < size ? kept : size);
    }
    /* Size 0: glibc frees and returns null. */
    __clew_release(old);
    return fresh;
}

void *realloc(void *old, size_t size)
{
    return __clew_reallocate(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    if (size != 0 && count > __PTRDIFF_MAX__ / size) {
        return exhausted();
    }
    return __clew_reallocate(old, count * size);
}

static int is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    __clew_require("bad-argument", is_power_of_two(alignment));
    void *fresh = malloc(size);
    __clew_assume((size_t)fresh % alignment == 0);
    return fresh;
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

/* The error is the result; what errno is afterwards is not said. */
int posix_memalign(void **place, size_t alignment, size_t size)
{
    __clew_maybe_error();
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) {
        return EINVAL;
    }
    if (size > __PTRDIFF_MAX__ || __clew_allocation_fails()) {
        return ENOMEM;
    }
    CLEW_WRITES(place, sizeof *place);
    *place = __clew_allocate(size);
    __clew_assume((size_t)*place % alignment == 0);
    return 0;
}

char *__clew_any_string(void)
{
    size_t length = __clew_nondet_size();
    __clew_assume(length < __PTRDIFF_MAX__);
    char *string = __clew_own(length + 1, 1);
    __clew_havoc(string, length);
    string[length] = 0;
    return string;
}

/* What putenv made part of the environment, which stays the program's; and that there is more of it. */
char *__clew_put;
_Bool __clew_put_more;

/* What calls that read or change the library's own state have in common: the order of two such calls matters. */
int __clew_environment, __clew_random;

/* A text of the environment, which is the library's: one that was asked for before may be given again. */
char *getenv(const char *name)
{
    int seen = __clew_environment;
    (void)seen;
    CLEW_STRING(name);
    if (!__clew_nondet_bool()) {
        return NULL;
    }
    if (__clew_put != NULL && __clew_nondet_bool()) {
        return __clew_put_more ? __builtin_frame_address(0) : __clew_put + __clew_nondet_size();
    }
    char *text = __clew_any_string();
    __clew_came('e', name, 0, text, __clew_object_size(text) - 1);
    return text;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* The text itself becomes part of the environment. */
int putenv(char *text)
{
    CLEW_STRING(text);
    __clew_environment = 0;
    if (__clew_nondet_bool()) {
        return __clew_any_error();
    }
    if (__clew_put != NULL) {
        __clew_put_more = 1;
    }
    __clew_put = text;
    return 0;
}

/* Names have at most PATH_MAX (4096) bytes with their NUL. After an error, what it has come to so far may be there. */
char *realpath(const char *restrict path, char *restrict to)
{
    if (path == NULL) {
        errno = EINVAL;
        return NULL;
    }
    CLEW_STRING(path);
    size_t length = __clew_nondet_size();
    __clew_assume(length > 0 && length < 4096);
    _Bool fails = __clew_nondet_bool();
    if (fails && (to == NULL || __clew_nondet_bool())) {
        __clew_any_error();
        return NULL;
    }
    if (to == NULL) {
        to = __clew_allocate(length + 1);
    }
    CLEW_WRITES(to, length + 1);
    __clew_havoc(to, length);
    to[length] = 0;
    if (fails) {
        __clew_any_error();
        return NULL;
    }
    __clew_assume(*to == '/');
    __clew_maybe_error(); /* what is no link is asked for its target, too */
    return to;
}

int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    CLEW_STRING(name);
    CLEW_STRING(value);
    __clew_environment = 0;
    __clew_maybe_error();
    return __clew_nondet_bool() ? __clew_any_error() : 0;
}

int unsetenv(const char *name)
{
    CLEW_STRING(name);
    __clew_environment = 0;
    return __clew_nondet_bool() ? __clew_any_error() : 0;
}

int system(const char *command)
{
    if (command != NULL) {
        CLEW_STRING(command);
    }
    __clew_maybe_error();
    return __clew_nondet_int();
}

/* The sequence is the library's secret. RAND_MAX is INT_MAX. */
int rand(void)
{
    int value = __clew_nondet_int();
    __clew_assume(value >= 0);
    __clew_random = 0;
    return value;
}

void srand(unsigned seed)
{
    (void)seed;
    __clew_random = 0;
}

int rand_r(unsigned *seed)
{
    CLEW_WRITES(seed, sizeof *seed);
    __clew_havoc(seed, sizeof *seed);
    int value = __clew_nondet_int();
    __clew_assume(value >= 0);
    return value;
}

long random(void)
{
    return rand();
}

void srandom(unsigned seed)
{
    (void)seed;
    __clew_random = 0;
}

double drand48(void)
{
    __clew_random = 0;
    double value = __clew_nondet_double();
    __clew_assume(value == value); /* not NaN, which may not be ordered */
    __clew_assume(value >= 0 && value < 1);
    return value;
}

/* `abs(INT_MIN)` overflows, and so does `div(INT_MIN, -1)`; `div(1, 0)` divides by zero. */
int abs(int number)
{
    __clew_require("signed-overflow", number != -__INT_MAX__ - 1);
    return number < 0 ? -number : number;
}

long labs(long number)
{
    __clew_require("signed-overflow", number != -__LONG_MAX__ - 1);
    return number < 0 ? -number : number;
}

long long llabs(long long number)
{
    __clew_require("signed-overflow", number != -__LONG_LONG_MAX__ - 1);
    return number < 0 ? -number : number;
}

__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ number)
{
    __clew_require("signed-overflow", number != -__INTMAX_MAX__ - 1);
    return number < 0 ? -number : number;
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

typedef struct {
    __INTMAX_TYPE__ quot, rem;
} imaxdiv_t;

#define CLEW_DIVIDES(numerator, denominator, max)                                                     \
    do {                                                                                              \
        __clew_require("division-by-zero", (denominator) != 0);                                       \
        __clew_require("signed-overflow", (numerator) != -(max) - 1 || (denominator) != -1);          \
    } while (0)

div_t div(int numerator, int denominator)
{
    CLEW_DIVIDES(numerator, denominator, __INT_MAX__);
    return (div_t){numerator / denominator, numerator % denominator};
}

ldiv_t ldiv(long numerator, long denominator)
{
    CLEW_DIVIDES(numerator, denominator, __LONG_MAX__);
    return (ldiv_t){numerator / denominator, numerator % denominator};
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    CLEW_DIVIDES(numerator, denominator, __LONG_LONG_MAX__);
    return (lldiv_t){numerator / denominator, numerator % denominator};
}

imaxdiv_t imaxdiv(__INTMAX_TYPE__ numerator, __INTMAX_TYPE__ denominator)
{
    CLEW_DIVIDES(numerator, denominator, __INTMAX_MAX__);
    return (imaxdiv_t){numerator / denominator, numerator % denominator};
}

/* `_exit` has no model: it is the end of a run, which each engine knows. */
_Noreturn void _exit(int status);

struct handler {
    void (*function)(void);
    struct handler *next;
};
static struct handler *handlers;

int atexit(void (*function)(void))
{
    __clew_require("bad-argument", __clew_not_null((const void *)function));
    if (__clew_allocation_fails()) {
        return -1;
    }
    struct handler *handler = __clew_allocate(sizeof *handler);
    handler->function = function;
    handler->next = handlers;
    handlers = handler;
    return 0;
}

/* The last registered is called first; one may register another. */
_Noreturn void exit(int status)
{
    while (handlers != NULL) {
        struct handler *handler = handlers;
        handlers = handler->next;
        handler->function();
    }
    _exit(status);
}

_Noreturn void _Exit(int status)
{
    _exit(status);
}

_Noreturn void abort(void)
{
    __clew_require("error-call", 0);
    _exit(134);
}
