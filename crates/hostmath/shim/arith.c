// SPDX-License-Identifier: MIT OR Apache-2.0
// The host's own floating-point arithmetic, with the exceptions it raises. The caller's floating-point
// environment is left as it was.
#include "shim.h"

LOAD(float, 4, f32)
LOAD(double, 8, f64)
#ifdef HAVE_X87
LOAD(long double, 10, x87)
#endif

// Operands and result are volatile, so that the operation stays between the two looks at the environment.
#define BASIC(type, name, suffix)                                                                                \
    static int arith_##name(int op, const struct bits in[3], struct answer *out)                                 \
    {                                                                                                            \
        type (*root)(type) = op == SQRT ? (type(*)(type))clew_libm("sqrt" suffix) : 0;                           \
        type (*fused)(type, type, type) = op == FMA ? (type(*)(type, type, type))clew_libm("fma" suffix) : 0;    \
        volatile type a = load_##name(in[0]), b = load_##name(in[1]), c = load_##name(in[2]), r = 0;             \
        volatile int truth = -1;                                                                                 \
        switch (op) {                                                                                            \
        case ADD: r = a + b; break;                                                                              \
        case SUB: r = a - b; break;                                                                              \
        case MUL: r = a * b; break;                                                                              \
        case DIV: r = a / b; break;                                                                              \
        case SQRT: if (!root) return 0; r = root(a); break;                                                      \
        case FMA: if (!fused) return 0; r = fused(a, b, c); break;                                               \
        case LESS: truth = a < b; break;                                                                         \
        case EQUAL: truth = a == b; break;                                                                       \
        default: return 0;                                                                                       \
        }                                                                                                        \
        out->flags = clew_exceptions();                                                                          \
        out->value = store_##name(&r);                                                                           \
        if (truth >= 0)                                                                                          \
            out->value = (struct bits){(uint64_t)truth, 0};                                                      \
        return 1;                                                                                                \
    }

BASIC(float, f32, "f")
BASIC(double, f64, "")
#ifdef HAVE_X87
BASIC(long double, x87, "l")
#endif

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static int enter(fenv_t *saved, int rounding)
{
    return rounding >= 0 && rounding < 4 && feholdexcept(saved) == 0 && fesetround(modes[rounding]) == 0;
}

int clew_arith(int op, int format, int rounding, const struct bits in[3], struct answer *out)
{
    fenv_t saved;
    int done = 0;
    if (!enter(&saved, rounding))
        return 0;
    switch (format) {
    case F32: done = arith_f32(op, in, out); break;
    case F64: done = arith_f64(op, in, out); break;
#ifdef HAVE_X87
    case X87: done = arith_x87(op, in, out); break;
#endif
    case F128: done = clew_arith_f128(op, in, out); break;
    }
    fesetenv(&saved);
    return done;
}

#define CONVERT_TO(type, name)                                                                                   \
    {                                                                                                            \
        volatile type r = (type)a;                                                                               \
        out->flags = clew_exceptions();                                                                          \
        out->value = store_##name(&r);                                                                           \
        return 1;                                                                                                \
    }

#ifdef HAVE_X87
#define TO_X87 case X87: CONVERT_TO(long double, x87)
#else
#define TO_X87
#endif

#define TO_FLOATS(format)                                                                                        \
    switch (format) {                                                                                            \
    case F32: CONVERT_TO(float, f32)                                                                             \
    case F64: CONVERT_TO(double, f64)                                                                            \
    TO_X87                                                                                                       \
    }                                                                                                            \
    return 0;

#define TO_INTEGER(type)                                                                                         \
    {                                                                                                            \
        volatile type r = (type)a;                                                                               \
        out->flags = clew_exceptions();                                                                          \
        memcpy(&out->value, (const void *)&r, sizeof r);                                                         \
        return 1;                                                                                                \
    }

// Without optimisation, since what is asked is what gcc -O0 does out of range.
#define CONVERSIONS(type, name)                                                                                  \
    static int convert_##name(int to, struct bits in, struct answer *out)                                        \
    {                                                                                                            \
        volatile type a = load_##name(in);                                                                       \
        TO_FLOATS(to)                                                                                            \
    }                                                                                                            \
    __attribute__((optimize("O0"))) static int to_int_##name(int bits, struct bits in, struct answer *out)       \
    {                                                                                                            \
        volatile type a = load_##name(in);                                                                       \
        switch (bits) {                                                                                          \
        case -8: TO_INTEGER(signed char)                                                                         \
        case 8: TO_INTEGER(unsigned char)                                                                        \
        case -16: TO_INTEGER(short)                                                                              \
        case 16: TO_INTEGER(unsigned short)                                                                      \
        case -32: TO_INTEGER(int)                                                                                \
        case 32: TO_INTEGER(unsigned)                                                                            \
        case -64: TO_INTEGER(long long)                                                                          \
        case 64: TO_INTEGER(unsigned long long)                                                                  \
        }                                                                                                        \
        return 0;                                                                                                \
    }

CONVERSIONS(float, f32)
CONVERSIONS(double, f64)
#ifdef HAVE_X87
CONVERSIONS(long double, x87)
#endif

int clew_convert(int from, int to, int rounding, const struct bits *in, struct answer *out)
{
    fenv_t saved;
    int done = 0;
    if (!enter(&saved, rounding))
        return 0;
    switch (to == F128 ? F128 : from) {
    case F32: done = convert_f32(to, *in, out); break;
    case F64: done = convert_f64(to, *in, out); break;
#ifdef HAVE_X87
    case X87: done = convert_x87(to, *in, out); break;
#endif
    case F128: done = clew_convert_f128(from, to, *in, out); break;
    }
    fesetenv(&saved);
    return done;
}

// `bits` is the width of the integer type, negative if it is signed.
int clew_to_int(int from, int bits, const struct bits *in, struct answer *out)
{
    fenv_t saved;
    int done = 0;
    if (!enter(&saved, 0))
        return 0;
    switch (bits == 128 || bits == -128 ? F128 : from) {
    case F32: done = to_int_f32(bits, *in, out); break;
    case F64: done = to_int_f64(bits, *in, out); break;
#ifdef HAVE_X87
    case X87: done = to_int_x87(bits, *in, out); break;
#endif
    case F128: done = clew_to_int_libgcc(from, bits, *in, out); break;
    }
    fesetenv(&saved);
    return done;
}

#define FROM_INTEGER(type, name)                                                                                 \
    static int from_##name(int to, struct bits in, struct answer *out)                                           \
    {                                                                                                            \
        volatile type a;                                                                                         \
        memcpy((void *)&a, &in, sizeof a);                                                                       \
        TO_FLOATS(to)                                                                                            \
    }

FROM_INTEGER(signed char, i8)
FROM_INTEGER(unsigned char, u8)
FROM_INTEGER(short, i16)
FROM_INTEGER(unsigned short, u16)
FROM_INTEGER(int, i32)
FROM_INTEGER(unsigned, u32)
FROM_INTEGER(long long, i64)
FROM_INTEGER(unsigned long long, u64)

int clew_from_int(int bits, int to, int rounding, const struct bits *in, struct answer *out)
{
    fenv_t saved;
    int done = 0;
    if (!enter(&saved, rounding))
        return 0;
    switch (to == F128 ? 128 : bits) {
    case -8: done = from_i8(to, *in, out); break;
    case 8: done = from_u8(to, *in, out); break;
    case -16: done = from_i16(to, *in, out); break;
    case 16: done = from_u16(to, *in, out); break;
    case -32: done = from_i32(to, *in, out); break;
    case 32: done = from_u32(to, *in, out); break;
    case -64: done = from_i64(to, *in, out); break;
    case 64: done = from_u64(to, *in, out); break;
    case -128:
    case 128: done = clew_from_int_libgcc(bits, to, *in, out); break;
    }
    fesetenv(&saved);
    return done;
}
