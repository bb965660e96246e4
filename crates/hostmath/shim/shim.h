// SPDX-License-Identifier: MIT OR Apache-2.0
// What crosses the border between Rust and C: bit patterns as pairs of 64-bit integers (low, high), so that NaN
// payloads and long double survive.
#ifndef CLEW_SHIM_H
#define CLEW_SHIM_H

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

enum { F32 = 1, F64 = 2, X87 = 3, F128 = 4 };

struct bits {
    uint64_t low, high;
};

struct answer {
    struct bits value;
    int flags;
};

enum { ADD, SUB, MUL, DIV, SQRT, FMA, LESS, EQUAL };

// What the compiler leaves to libgcc: binary128 and 128-bit integers (libgcc.c). Called between the two looks at
// the floating-point environment.
int clew_arith_f128(int op, const struct bits in[3], struct answer *out);
int clew_convert_f128(int from, int to, struct bits in, struct answer *out);
int clew_to_int_libgcc(int from, int bits, struct bits in, struct answer *out);
int clew_from_int_libgcc(int bits, int to, struct bits in, struct answer *out);

// A function of the shared libm, or null.
void *clew_libm(const char *name);

#if LDBL_MANT_DIG == 64
#define HAVE_X87 1
#endif
#if defined(__SIZEOF_FLOAT128__)
#define HAVE_F128 1
#endif

// memcpy rather than a union: a value must not pass through a floating register on its way.
#define LOAD(type, size, name)                                                                                   \
    static inline type load_##name(struct bits b)                                                                \
    {                                                                                                            \
        type value = 0;                                                                                          \
        memcpy(&value, &b, size);                                                                                \
        return value;                                                                                            \
    }                                                                                                            \
    static inline struct bits store_##name(const volatile type *value)                                           \
    {                                                                                                            \
        struct bits b = {0, 0};                                                                                  \
        memcpy(&b, (const void *)value, size);                                                                   \
        return b;                                                                                                \
    }

// The exceptions as clew_base::float::Flags numbers them.
static inline int clew_exceptions(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INVALID ? 1 : 0) | (raised & FE_DIVBYZERO ? 2 : 0) | (raised & FE_OVERFLOW ? 4 : 0) |
           (raised & FE_UNDERFLOW ? 8 : 0) | (raised & FE_INEXACT ? 16 : 0);
}

#endif
