/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions of <math.h>: what a call raises is what C says of its arguments and result, whatever the library does inside. */

#include "call.h"

static int clew_called(uintptr_t back, enum clew_kind kind);

static unsigned clew_enter(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(CLEW_MASKED);
    return before;
}

static void clew_judge(uintptr_t back, unsigned before, double result, double least, int numbers, int finite, int pole)
{
    unsigned flags = _mm_getcsr();
    if ((before & CLEW_MASKED) == CLEW_MASKED || !clew_running) {
        _mm_setcsr(before | (flags & 0x3f));
        return;
    }
    /* Tiny results count where underflow is unmasked. */
    int counts_tiny = !(before & 1 << 11);
    int kind = -1;
    if (isnan(result) && numbers)
        kind = CLEW_INVALID;
    else if (isinf(result) && finite)
        kind = pole ? CLEW_DIVISION : CLEW_OVERFLOW;
    else if (counts_tiny && (flags & 0x10) && numbers && fabs(result) <= least)
        kind = CLEW_UNDERFLOW;
    else if (counts_tiny && result != 0 && fabs(result) < least)
        kind = CLEW_TINY;
    int goes_on = kind < 0 || clew_called(back, (enum clew_kind)kind);
    _mm_setcsr(goes_on ? clew_control : CLEW_MASKED);
}

#define CLEW_BACK ((uintptr_t)__builtin_return_address(0))
#define CLEW_LEAST(T) (sizeof(T) == sizeof(float) ? (double)FLT_MIN : DBL_MIN)

#define CLEW_ONE(T, name, pole)                                                                                      \
    T __real_##name(T);                                                                                              \
    T __wrap_##name(T x)                                                                                             \
    {                                                                                                                \
        unsigned before = clew_enter();                                                                              \
        T result = __real_##name(x);                                                                                 \
        clew_judge(CLEW_BACK, before, (double)result, CLEW_LEAST(T), !isnan(x), isfinite(x), pole);                   \
        return result;                                                                                               \
    }

#define CLEW_TWO(T, name, pole)                                                                                      \
    T __real_##name(T, T);                                                                                           \
    T __wrap_##name(T x, T y)                                                                                        \
    {                                                                                                                \
        unsigned before = clew_enter();                                                                              \
        T result = __real_##name(x, y);                                                                              \
        clew_judge(CLEW_BACK, before, (double)result, CLEW_LEAST(T), !isnan(x) && !isnan(y),                          \
                   isfinite(x) && isfinite(y), pole);                                                                \
        return result;                                                                                               \
    }

#define CLEW_SCALE(T, name, I)                                                                                       \
    T __real_##name(T, I);                                                                                           \
    T __wrap_##name(T x, I n)                                                                                        \
    {                                                                                                                \
        unsigned before = clew_enter();                                                                              \
        T result = __real_##name(x, n);                                                                              \
        clew_judge(CLEW_BACK, before, (double)result, CLEW_LEAST(T), !isnan(x), isfinite(x), 0);                      \
        return result;                                                                                               \
    }
