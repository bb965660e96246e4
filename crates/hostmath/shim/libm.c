// SPDX-License-Identifier: MIT OR Apache-2.0
// The host's libm: one table of functions, each in its float, double and long double form. Rust asks the table
// for names, so a function is listed here and nowhere else.
//
// The functions are looked up in the shared libm: a Rust program carries some of the same names
// (compiler-builtins: fma, fmod, floor, ...), whose exceptions and NaNs are not the host's, and the linker would
// take those.
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

LOAD(float, 4, f32)
LOAD(double, 8, f64)
#ifdef HAVE_X87
LOAD(long double, 10, x87)
#endif

struct arguments {
    struct bits x, y, z;
    int64_t n;
};

struct outcome {
    struct bits value, second;
    int64_t integer;
    int flags;
    int error;
};

// What a function takes and gives; numbered as in Rust's `Shape`.
enum shape {
    UNARY,        // x -> value
    BINARY,       // x, y -> value
    TERNARY,      // x, y, z -> value
    WITH_INT,     // x, n -> value
    INT_FIRST,    // n, x -> value
    TO_INT,       // x -> integer
    INT_OUT,      // x -> value, integer
    BINARY_INT_OUT, // x, y -> value, integer
    FLOAT_OUT,    // x -> value, second
};

#define UNARY_FUNCTIONS(F)                                                                                       \
    F(acos) F(asin) F(atan) F(cos) F(sin) F(tan) F(acosh) F(asinh) F(atanh) F(cosh) F(sinh) F(tanh)              \
    F(exp) F(exp2) F(exp10) F(expm1) F(log) F(log10) F(log2) F(log1p) F(logb) F(sqrt) F(cbrt) F(erf) F(erfc)     \
    F(tgamma) F(j0) F(j1) F(y0) F(y1) F(ceil) F(floor) F(trunc) F(round) F(roundeven) F(rint) F(nearbyint)       \
    F(fabs) F(significand)
#define BINARY_FUNCTIONS(F)                                                                                      \
    F(atan2) F(pow) F(hypot) F(fmod) F(remainder) F(drem) F(fdim) F(fmax) F(fmin) F(nextafter) F(copysign) F(scalb)
#define TERNARY_FUNCTIONS(F) F(fma)
#define WITH_INT_FUNCTIONS(F) F(ldexp) F(scalbn) F(scalbln)
#define INT_FIRST_FUNCTIONS(F) F(jn) F(yn)
#define TO_INT_FUNCTIONS(F) F(ilogb) F(lrint) F(llrint) F(lround) F(llround)
// The rest have shapes of their own: frexp modf remquo sincos lgamma nexttoward.
#define ODD_FUNCTIONS(F)                                                                                         \
    F(frexp, INT_OUT) F(lgamma, INT_OUT) F(gamma, INT_OUT) F(remquo, BINARY_INT_OUT) F(modf, FLOAT_OUT)          \
    F(sincos, FLOAT_OUT) F(nexttoward, BINARY)

#define INDEX(name) I_##name,
#define INDEX_ODD(name, shape) I_##name,
enum {
    UNARY_FUNCTIONS(INDEX) BINARY_FUNCTIONS(INDEX) TERNARY_FUNCTIONS(INDEX) WITH_INT_FUNCTIONS(INDEX)
    INT_FIRST_FUNCTIONS(INDEX) TO_INT_FUNCTIONS(INDEX) ODD_FUNCTIONS(INDEX_ODD)
    COUNT
};

#define NAMED(name, shape) {#name, shape},
#define ENTRY_UNARY(name) NAMED(name, UNARY)
#define ENTRY_BINARY(name) NAMED(name, BINARY)
#define ENTRY_TERNARY(name) NAMED(name, TERNARY)
#define ENTRY_WITH_INT(name) NAMED(name, WITH_INT)
#define ENTRY_INT_FIRST(name) NAMED(name, INT_FIRST)
#define ENTRY_TO_INT(name) NAMED(name, TO_INT)

static const struct {
    const char *name;
    int shape;
} functions[COUNT] = {
    UNARY_FUNCTIONS(ENTRY_UNARY) BINARY_FUNCTIONS(ENTRY_BINARY) TERNARY_FUNCTIONS(ENTRY_TERNARY)
    WITH_INT_FUNCTIONS(ENTRY_WITH_INT) INT_FIRST_FUNCTIONS(ENTRY_INT_FIRST) TO_INT_FUNCTIONS(ENTRY_TO_INT)
    ODD_FUNCTIONS(NAMED)
};

const char *clew_math_name(int index)
{
    return index >= 0 && index < COUNT ? functions[index].name : 0;
}

int clew_math_shape(int index)
{
    return functions[index].shape;
}

void *clew_libm(const char *name)
{
    void *handle = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : 0;
}

// Looks a function up once and keeps it; two threads that race store the same pointer.
static void *function(int index, int format)
{
    static _Atomic(void *) found[COUNT][X87 + 1];
    static const char *const suffixes[] = {[F32] = "f", [F64] = "", [X87] = "l"};
    void *known = found[index][format];
    if (!known) {
        char name[32];
        int reentrant = index == I_lgamma || index == I_gamma;
        const char *base = reentrant ? "lgamma" : functions[index].name;
        snprintf(name, sizeof name, "%s%s%s", base, suffixes[format], reentrant ? "_r" : "");
        found[index][format] = known = clew_libm(name);
    }
    return known;
}

// One dispatcher a format: CALL gives the found function its type. Results are stored through volatile variables
// before the exceptions are read.
#define CASE_UNARY(name) case I_##name: r = CALL(name)(x); break;
#define CASE_BINARY(name) case I_##name: r = CALL(name)(x, y); break;
#define CASE_TERNARY(name) case I_##name: r = CALL(name)(x, y, z); break;
#define CASE_WITH_INT(name) case I_##name: r = CALL(name)(x, in->n); break;
#define CASE_INT_FIRST(name) case I_##name: r = CALL(name)((int)in->n, x); break;
#define CASE_TO_INT(name) case I_##name: integer = CALL(name)(x); break;

#define DISPATCH(type, name, format, tag_nexttoward)                                                             \
    static int call_##name(int index, const struct arguments *in, struct outcome *out)                           \
    {                                                                                                            \
        volatile type x = load_##name(in->x), y = load_##name(in->y), z = load_##name(in->z);                    \
        volatile type r = 0, second = 0;                                                                         \
        type pointed = 0, pointed_too = 0;                                                                       \
        volatile int64_t integer = 0;                                                                            \
        int small = 0;                                                                                           \
        void *found = function(index, format);                                                                   \
        if (!found)                                                                                              \
            return 0;                                                                                            \
        switch (index) {                                                                                         \
            UNARY_FUNCTIONS(CASE_UNARY)                                                                          \
            BINARY_FUNCTIONS(CASE_BINARY)                                                                        \
            TERNARY_FUNCTIONS(CASE_TERNARY)                                                                      \
            WITH_INT_FUNCTIONS(CASE_WITH_INT)                                                                    \
            INT_FIRST_FUNCTIONS(CASE_INT_FIRST)                                                                  \
            TO_INT_FUNCTIONS(CASE_TO_INT)                                                                        \
        case I_frexp: r = CALL(frexp)(x, &small); integer = small; break;                                        \
        case I_lgamma:                                                                                           \
        case I_gamma: r = CALL_R(lgamma)(x, &small); integer = small; break;                                     \
        case I_remquo: r = CALL(remquo)(x, y, &small); integer = small; break;                                   \
        case I_modf: r = CALL(modf)(x, &pointed); second = pointed; break;                                       \
        case I_sincos: CALL(sincos)(x, &pointed, &pointed_too); r = pointed; second = pointed_too; break;        \
        case I_nexttoward: tag_nexttoward break;                                                                 \
        default: return 0;                                                                                       \
        }                                                                                                        \
        out->flags = clew_exceptions();                                                                          \
        out->value = store_##name(&r);                                                                           \
        out->second = store_##name(&second);                                                                     \
        out->integer = integer;                                                                                  \
        return 1;                                                                                                \
    }

#ifdef HAVE_X87
#define NEXTTOWARD volatile long double target = load_x87(in->y); r = CALL(nexttoward)(x, target);
#else
#define NEXTTOWARD (void)y; return 0;
#endif

#define CALL(name) ((__typeof__(&name##f))found)
#define CALL_R(name) ((__typeof__(&name##f_r))found)
DISPATCH(float, f32, F32, NEXTTOWARD)
#undef CALL
#undef CALL_R
#define CALL(name) ((__typeof__(&name))found)
#define CALL_R(name) ((__typeof__(&name##_r))found)
DISPATCH(double, f64, F64, NEXTTOWARD)
#undef CALL
#undef CALL_R
#ifdef HAVE_X87
#define CALL(name) ((__typeof__(&name##l))found)
#define CALL_R(name) ((__typeof__(&name##l_r))found)
DISPATCH(long double, x87, X87, NEXTTOWARD)
#endif

int clew_math_call(int index, int format, const struct arguments *in, struct outcome *out)
{
    fenv_t saved;
    int done = 0, old_errno = errno;
    if (index < 0 || index >= COUNT || feholdexcept(&saved) != 0 || fesetround(FE_TONEAREST) != 0)
        return 0;
    errno = 0;
    switch (format) {
    case F32: done = call_f32(index, in, out); break;
    case F64: done = call_f64(index, in, out); break;
#ifdef HAVE_X87
    case X87: done = call_x87(index, in, out); break;
#endif
    }
    out->error = errno;
    errno = old_errno;
    fesetenv(&saved);
    return done;
}
