/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The intrinsics that library models are written in.
 *
 * A model says what a library function requires, what it changes and what it returns. Engines implement each intrinsic
 * once, so that no engine walks byte loops where one of these serves. A requirement is reported at the user's call, with
 * the parameter named, so parameters have the names a reader of the report should see.
 *
 * Models include nothing else: the host's headers would bring their macros and inline functions.
 */
#ifndef CLEW_H
#define CLEW_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __PTRDIFF_TYPE__ ssize_t;
#define NULL ((void *)0)

/* The obligation of a check: the condition must hold here. */
void __clew_require(const char *check, int condition);
/* The executions that do not meet the condition are not considered further. */
void __clew_assume(int condition);

/* Predicates on memory, for the second argument of __clew_require. */
int __clew_not_null(const void *p);
int __clew_live(const void *p);
int __clew_readable(const void *p, size_t n);
int __clew_writable(const void *p, size_t n);
int __clew_nul_within(const char *p);
int __clew_disjoint(const void *p, size_t n, const void *q, size_t m);
int __clew_alloc_base(const void *p);
int __clew_same_object(const void *p, const void *q);

/* Copies n bytes as if through a temporary. */
void __clew_copy(void *to, const void *from, size_t n);
/* Sets n bytes to one value. */
void __clew_fill(void *to, int byte, size_t n);
/* Sets n bytes to anything. */
void __clew_havoc(void *to, size_t n);
/* How many bytes stand before the first NUL at or after p. */
size_t __clew_nul_position(const char *p);
/* Bytes of the object that p points into. */
size_t __clew_object_size(const void *p);
/* A new heap object, uninitialised; never null. */
void *__clew_allocate(size_t n);
/* Ends the life of a heap object. */
void __clew_release(void *p);

/* Any value of the type. */
int __clew_nondet_int(void);
unsigned char __clew_nondet_uchar(void);
long __clew_nondet_long(void);
size_t __clew_nondet_size(void);
float __clew_nondet_float(void);
double __clew_nondet_double(void);

/* Shorthands. The order is that of accesses: null first, then bounds. */
#define CLEW_READS(p, n)                                           \
    do {                                                           \
        __clew_require("null-deref", __clew_not_null(p));          \
        __clew_require("out-of-bounds", __clew_readable((p), (n))); \
    } while (0)
#define CLEW_WRITES(p, n)                                          \
    do {                                                           \
        __clew_require("null-deref", __clew_not_null(p));          \
        __clew_require("out-of-bounds", __clew_writable((p), (n))); \
    } while (0)
#define CLEW_STRING(p)                                                     \
    do {                                                                   \
        __clew_require("null-deref", __clew_not_null(p));                  \
        __clew_require("string-not-terminated", __clew_nul_within(p));     \
    } while (0)

/* Where errno is; <errno.h> reads it through this function. */
int *__errno_location(void);
#define CLEW_ERRNO (*__errno_location())
#define CLEW_EDOM 33
#define CLEW_ERANGE 34
#define CLEW_EINVAL 22
#define CLEW_ENOMEM 12

#endif
