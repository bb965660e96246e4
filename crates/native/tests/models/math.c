/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <math.h> against the host: what is exact is the same; what is any can be the host's; and a float check is violated
 * just when the host raises the flag. */
#define _GNU_SOURCE
#include "shim.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

/* The same bits, of a NaN too: programs see its sign, and functions whether it signals. */
#define SAME_FLOAT(x, y)                                                              \
    __extension__({                                                                   \
        T x_ = (x), y_ = (y);                                                         \
        memcmp(&x_, &y_, sizeof(T) > 10 ? 10 : sizeof(T)) == 0;                       \
    })

/* The float checks that were violated are the exceptions that the host raised. What a NaN raises is not invalid. */
static int same_flags(int host, int nan)
{
    return !shim_invalid == (nan || !(host & FE_INVALID)) && !shim_pole == !(host & FE_DIVBYZERO) &&
           !shim_overflow == !(host & FE_OVERFLOW);
}

#define T double
#define F(name) name
#define FLOATS float_double
#include "math.inc"
#undef T
#undef F
#undef FLOATS

#define T float
#define F(name) name##f
#define FLOATS float_float
#include "math.inc"
#undef T
#undef F
#undef FLOATS

#define T long double
#define F(name) name##l
#define FLOATS float_long
#include "math.inc"

void test_math(void)
{
    shim_reset();
    for (int round = 0; round < 4000; round++) {
        float_double();
        float_float();
        float_long();
    }
    double place;
    static const char tag[] = "1";
    shim_reset();
    shim_const_object(&place, sizeof place);
    shim_object(tag, sizeof tag);
    BAD("null-deref", model_modf(1.5, NULL));
    BAD("null-deref", model_frexp(1.5, NULL));
    BAD("out-of-bounds", model_modfl(1.5L, (long double *)&place));
    BAD("write-to-const", model_modf(1.5, &place));
    volatile double nothing = 0;
    GOOD(nothing = model_nan(tag));
    SAME(isnan(nothing));
}
