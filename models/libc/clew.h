/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What library models are written in. Each of these is one operation of the IR (crates/frontend/src/lower/model.rs),
 * which every engine implements once; none is a function that exists anywhere.
 *
 * Models include nothing else: the host's headers would bring their macros, inline functions and the host's target. */
#ifndef CLEW_H
#define CLEW_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
#define NULL ((void *)0)

/* An obligation of the check with that id, to be met by the caller of the model. */
void __clew_require(const char *check, int condition);
/* Only runs in which the condition holds go on: what the library promises about its result. */
void __clew_assume(int condition);

/* Conditions that only `__clew_require` understands. */
int __clew_readable(const void *p, size_t n);
int __clew_writable(const void *p, size_t n);
int __clew_same_object(const void *p, const void *q);
int __clew_disjoint(const void *p, size_t n, const void *q, size_t m);
int __clew_not_null(const void *p);
int __clew_nul_within(const void *p); /* a NUL stands at or after p, inside its object */
int __clew_written(const void *p, size_t n);
int __clew_written_text(const void *p); /* up to the first NUL */
int __clew_alloc_base(const void *p); /* null, or the start of a live heap object */
int __clew_live(const void *p);       /* the object that p was derived from, if any, is alive */
int __clew_valid(const void *p);      /* null, or derived from some object */
int __clew_handle(const void *p);     /* the start of a live object of `__clew_own` that is not shared, or of a global __clew_handle_... */
int __clew_lasting(const void *p);    /* its object lives until the program ends */
int __clew_callable(int (*p)(const void *, const void *)); /* a function of such a type */

/* Effects on memory. The ranges have been required before. */
void __clew_copy(void *to, const void *from, size_t n); /* as if by a temporary, uninitialised bytes too */
void __clew_fill(void *to, int byte, size_t n);
void __clew_havoc(void *to, size_t n); /* any bytes */
size_t __clew_nul_position(const void *p);
size_t __clew_object_size(const void *p);
void *__clew_allocate(size_t n); /* never null, not initialised */
void __clew_release(void *p);
/* The library's own object: never null, not initialised, nothing that a program may write or free. A shared one may be one
 * with another. */
void *__clew_own(size_t n, int shared);

/* Functions of floats that are rounded correctly. None gives a NaN here: models ask for its causes before. */
float __clew_sqrtf(float x), __clew_fmodf(float x, float y), __clew_fmaf(float x, float y, float z);
double __clew_sqrt(double x), __clew_fmod(double x, double y), __clew_fma(double x, double y, double z);
long double __clew_sqrtl(long double x), __clew_fmodl(long double x, long double y);
long double __clew_fmal(long double x, long double y, long double z);

/* For witnesses; proofs do not look at them. What was drawn came from outside: `how` is a letter that says how it stands
 * there (crates/symbolic/src/exec/transfer/external_text.rs has it), `from` a stream or a name, or null: then it is a descriptor. And
 * what most runs do: witnesses are sought among those first. */
void __clew_came(int how, const void *from, int descriptor, const void *bytes, size_t n);
void __clew_likely(int condition);

/* Any value of the type. */
_Bool __clew_nondet_bool(void);
int __clew_nondet_int(void);
long __clew_nondet_long(void);
size_t __clew_nondet_size(void);
float __clew_nondet_float(void);
double __clew_nondet_double(void);
long double __clew_nondet_long_double(void);

/* stdlib.c: whether this allocation fails. Engines that assume malloc-succeeds take 0 for its result. */
int __clew_allocation_fails(void);
/* stdlib.c: a string of any length that belongs to the library. */
char *__clew_any_string(void);
/* stdlib.c: realloc, whose argument the caller of the model answers for. */
void *__clew_reallocate(void *old, size_t size);
/* stdio.c: a stream was used; buffers that the program lent to streams may have changed. */
void __clew_streams_used(void);
/* errno.c: -1, with some error in errno, as system calls fail. */
int __clew_any_error(void);
/* errno.c: some error in errno, or errno as it was: what failed need not have been the system, and what the system refused
 * on the way does not make a function fail. */
void __clew_maybe_error(void);
/* locale.c: whether the locale may be another than C's. */
int __clew_foreign_locale(void);

/* The usual requirements, in the order in which the conditions of an access are evaluated. They are macros so that
 * each obligation names the model's parameter. */
#define CLEW_POINTER(p)                                   \
    do {                                                  \
        __clew_require("null-deref", __clew_not_null(p)); \
        __clew_require("use-after-free", __clew_live(p)); \
    } while (0)

/* An open stream. */
#define CLEW_STREAM(p)                                     \
    do {                                                   \
        __clew_require("null-deref", __clew_not_null(p));  \
        __clew_require("invalid-deref", __clew_valid(p));  \
        __clew_require("use-after-free", __clew_live(p));  \
        __clew_require("bad-argument", __clew_handle(p));  \
        __clew_streams_used();                             \
    } while (0)

/* A standard stream where no argument names it: the program may have closed it, or put something else in its place. */
#define CLEW_STANDARD(p)                                  \
    do {                                                  \
        __clew_require("bad-argument", __clew_handle(p)); \
        __clew_streams_used();                            \
    } while (0)

#define CLEW_READS(p, n)                                        \
    do {                                                        \
        CLEW_POINTER(p);                                        \
        __clew_require("out-of-bounds", __clew_readable(p, n)); \
    } while (0)

/* Bytes whose values matter. */
#define CLEW_USES(p, n)                                            \
    do {                                                           \
        CLEW_READS(p, n);                                          \
        __clew_require("uninitialised-read", __clew_written(p, n)); \
    } while (0)

/* What is in bounds and still not writable is const. */
#define CLEW_WRITES(p, n)                                        \
    do {                                                         \
        CLEW_READS(p, n);                                        \
        __clew_require("write-to-const", __clew_writable(p, n)); \
    } while (0)

#define CLEW_STRING(p)                                                 \
    do {                                                               \
        CLEW_READS(p, 1);                                              \
        __clew_require("string-not-terminated", __clew_nul_within(p)); \
        __clew_require("uninitialised-read", __clew_written_text(p));  \
    } while (0)

/* One byte further in a string whose end has not been met. */
#define CLEW_STRING_BYTE(p) __clew_require("string-not-terminated", __clew_readable(p, 1))

/* <errno.h> reads errno through this function. The numbers are Linux's. */
int *__errno_location(void);
#define errno (*__errno_location())
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34
#define EOVERFLOW 75

#endif
