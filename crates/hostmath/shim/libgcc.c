// SPDX-License-Identifier: MIT OR Apache-2.0
// binary128 and 128-bit integers, which the compiler leaves to libgcc.
//
// A Rust program carries functions of the same names (compiler-builtins) that round to nearest only and raise no
// exception, and the linker would take those. What a C program runs is in the shared libgcc, so the functions are
// looked up there.
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>

#if defined(HAVE_X87) && defined(HAVE_F128)

typedef __float128 f128;
typedef long double x87;
typedef __int128 ti;
typedef unsigned __int128 uti;

LOAD(float, 4, f32)
LOAD(double, 8, f64)
LOAD(x87, 10, x87)
LOAD(f128, 16, f128)

static void *libgcc(const char *name)
{
    void *handle = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : 0;
}

// Looks a function up once and keeps it; two threads that race store the same pointer.
#define FUNCTION(result, name, ...)                                                                              \
    static result (*name(void))(__VA_ARGS__)                                                                     \
    {                                                                                                            \
        static _Atomic(void *) found;                                                                            \
        void *function = found;                                                                                  \
        if (!function)                                                                                           \
            found = function = libgcc("__" #name);                                                               \
        return (result (*)(__VA_ARGS__))function;                                                                \
    }

FUNCTION(f128, addtf3, f128, f128)
FUNCTION(f128, subtf3, f128, f128)
FUNCTION(f128, multf3, f128, f128)
FUNCTION(f128, divtf3, f128, f128)
FUNCTION(int, lttf2, f128, f128)
FUNCTION(int, eqtf2, f128, f128)
FUNCTION(f128, extendsftf2, float)
FUNCTION(f128, extenddftf2, double)
FUNCTION(f128, extendxftf2, x87)
FUNCTION(float, trunctfsf2, f128)
FUNCTION(double, trunctfdf2, f128)
FUNCTION(x87, trunctfxf2, f128)
FUNCTION(int, fixtfsi, f128)
FUNCTION(unsigned, fixunstfsi, f128)
FUNCTION(int64_t, fixtfdi, f128)
FUNCTION(uint64_t, fixunstfdi, f128)
FUNCTION(ti, fixtfti, f128)
FUNCTION(uti, fixunstfti, f128)
FUNCTION(ti, fixsfti, float)
FUNCTION(uti, fixunssfti, float)
FUNCTION(ti, fixdfti, double)
FUNCTION(uti, fixunsdfti, double)
FUNCTION(ti, fixxfti, x87)
FUNCTION(uti, fixunsxfti, x87)
FUNCTION(f128, floatsitf, int)
FUNCTION(f128, floatunsitf, unsigned)
FUNCTION(f128, floatditf, int64_t)
FUNCTION(f128, floatunditf, uint64_t)
FUNCTION(f128, floattitf, ti)
FUNCTION(f128, floatuntitf, uti)
FUNCTION(float, floattisf, ti)
FUNCTION(float, floatuntisf, uti)
FUNCTION(double, floattidf, ti)
FUNCTION(double, floatuntidf, uti)
FUNCTION(x87, floattixf, ti)
FUNCTION(x87, floatuntixf, uti)

// Calls a function of libgcc and hands its result out with the exceptions it raised.
#define GIVE_FLOAT(type, name, function, ...)                                                                    \
    {                                                                                                            \
        if (!function())                                                                                         \
            return 0;                                                                                            \
        volatile type r = function()(__VA_ARGS__);                                                               \
        out->flags = clew_exceptions();                                                                          \
        out->value = store_##name(&r);                                                                           \
        return 1;                                                                                                \
    }
#define GIVE_INTEGER(type, function, ...)                                                                        \
    {                                                                                                            \
        if (!function())                                                                                         \
            return 0;                                                                                            \
        volatile type r = (type)function()(__VA_ARGS__);                                                         \
        out->flags = clew_exceptions();                                                                          \
        memcpy(&out->value, (const void *)&r, sizeof r);                                                         \
        return 1;                                                                                                \
    }

#define GIVE_TRUTH(function, test)                                                                               \
    {                                                                                                            \
        if (!function())                                                                                         \
            return 0;                                                                                            \
        volatile int r = function()(a, b);                                                                       \
        out->flags = clew_exceptions();                                                                          \
        out->value = (struct bits){r test, 0};                                                                   \
        return 1;                                                                                                \
    }

// These are libm's.
static f128 (*root(void))(f128)
{
    return (f128(*)(f128))clew_libm("sqrtf128");
}

static f128 (*fused(void))(f128, f128, f128)
{
    return (f128(*)(f128, f128, f128))clew_libm("fmaf128");
}

int clew_arith_f128(int op, const struct bits in[3], struct answer *out)
{
    volatile f128 a = load_f128(in[0]), b = load_f128(in[1]), c = load_f128(in[2]);
    switch (op) {
    case ADD: GIVE_FLOAT(f128, f128, addtf3, a, b)
    case SUB: GIVE_FLOAT(f128, f128, subtf3, a, b)
    case MUL: GIVE_FLOAT(f128, f128, multf3, a, b)
    case DIV: GIVE_FLOAT(f128, f128, divtf3, a, b)
    case SQRT: GIVE_FLOAT(f128, f128, root, a)
    case FMA: GIVE_FLOAT(f128, f128, fused, a, b, c)
    case LESS: GIVE_TRUTH(lttf2, < 0)
    case EQUAL: GIVE_TRUTH(eqtf2, == 0)
    }
    return 0;
}

int clew_convert_f128(int from, int to, struct bits in, struct answer *out)
{
    volatile f128 a = load_f128(in);
    if (from == F128) {
        switch (to) {
        case F32: GIVE_FLOAT(float, f32, trunctfsf2, a)
        case F64: GIVE_FLOAT(double, f64, trunctfdf2, a)
        case X87: GIVE_FLOAT(x87, x87, trunctfxf2, a)
        case F128: out->value = in; out->flags = 0; return 1;
        }
    }
    switch (from) {
    case F32: GIVE_FLOAT(f128, f128, extendsftf2, load_f32(in))
    case F64: GIVE_FLOAT(f128, f128, extenddftf2, load_f64(in))
    case X87: GIVE_FLOAT(f128, f128, extendxftf2, load_x87(in))
    }
    return 0;
}

static int f128_to_int(int bits, f128 a, struct answer *out)
{
    switch (bits) {
    // As gcc does it: a narrow type by way of an int of the same signedness.
    case -8: GIVE_INTEGER(signed char, fixtfsi, a)
    case 8: GIVE_INTEGER(unsigned char, fixunstfsi, a)
    case -16: GIVE_INTEGER(short, fixtfsi, a)
    case 16: GIVE_INTEGER(unsigned short, fixunstfsi, a)
    case -32: GIVE_INTEGER(int, fixtfsi, a)
    case 32: GIVE_INTEGER(unsigned, fixunstfsi, a)
    case -64: GIVE_INTEGER(int64_t, fixtfdi, a)
    case 64: GIVE_INTEGER(uint64_t, fixunstfdi, a)
    case -128: GIVE_INTEGER(ti, fixtfti, a)
    case 128: GIVE_INTEGER(uti, fixunstfti, a)
    }
    return 0;
}

int clew_to_int_libgcc(int from, int bits, struct bits in, struct answer *out)
{
    switch (from) {
    case F128: return f128_to_int(bits, load_f128(in), out);
    case F32:
        if (bits < 0)
            GIVE_INTEGER(ti, fixsfti, load_f32(in))
        GIVE_INTEGER(uti, fixunssfti, load_f32(in))
    case F64:
        if (bits < 0)
            GIVE_INTEGER(ti, fixdfti, load_f64(in))
        GIVE_INTEGER(uti, fixunsdfti, load_f64(in))
    case X87:
        if (bits < 0)
            GIVE_INTEGER(ti, fixxfti, load_x87(in))
        GIVE_INTEGER(uti, fixunsxfti, load_x87(in))
    }
    return 0;
}

static ti load_integer(struct bits in)
{
    return (ti)((uti)in.high << 64 | in.low);
}

int clew_from_int_libgcc(int bits, int to, struct bits in, struct answer *out)
{
    ti a = load_integer(in);
    switch (to) {
    case F32:
        if (bits < 0)
            GIVE_FLOAT(float, f32, floattisf, a)
        GIVE_FLOAT(float, f32, floatuntisf, (uti)a)
    case F64:
        if (bits < 0)
            GIVE_FLOAT(double, f64, floattidf, a)
        GIVE_FLOAT(double, f64, floatuntidf, (uti)a)
    case X87:
        if (bits < 0)
            GIVE_FLOAT(x87, x87, floattixf, a)
        GIVE_FLOAT(x87, x87, floatuntixf, (uti)a)
    }
    switch (bits) {
    case -8:
    case 8:
    case -16:
    case 16:
    case -32: GIVE_FLOAT(f128, f128, floatsitf, (int)a)
    case 32: GIVE_FLOAT(f128, f128, floatunsitf, (unsigned)a)
    case -64: GIVE_FLOAT(f128, f128, floatditf, (int64_t)a)
    case 64: GIVE_FLOAT(f128, f128, floatunditf, (uint64_t)a)
    case -128: GIVE_FLOAT(f128, f128, floattitf, a)
    case 128: GIVE_FLOAT(f128, f128, floatuntitf, (uti)a)
    }
    return 0;
}

#else

// No such formats on this host.
int clew_arith_f128(int op, const struct bits in[3], struct answer *out)
{
    (void)op, (void)in, (void)out;
    return 0;
}

int clew_convert_f128(int from, int to, struct bits in, struct answer *out)
{
    (void)from, (void)to, (void)in, (void)out;
    return 0;
}

int clew_to_int_libgcc(int from, int bits, struct bits in, struct answer *out)
{
    (void)from, (void)bits, (void)in, (void)out;
    return 0;
}

int clew_from_int_libgcc(int bits, int to, struct bits in, struct answer *out)
{
    (void)bits, (void)to, (void)in, (void)out;
    return 0;
}

#endif
