// SPDX-License-Identifier: MIT OR Apache-2.0
// The host's printf and strtod, as referees for our own.
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_TYPES_EXT__
#include "shim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

LOAD(float, 4, f32)
LOAD(double, 8, f64)
#ifdef HAVE_X87
LOAD(long double, 10, x87)
#endif

// `conversion` is one of "aefgAEFG", which the Rust side guarantees; a negative precision means none.
int clew_format(char *buffer, size_t size, char conversion, int alternate, int precision, int format,
                const struct bits *in)
{
    char spec[8];
    snprintf(spec, sizeof spec, "%%%s.*%s%c", alternate ? "#" : "", format == X87 ? "L" : "", conversion);
    switch (format) {
    case F32: return snprintf(buffer, size, spec, precision, (double)load_f32(*in));
    case F64: return snprintf(buffer, size, spec, precision, load_f64(*in));
#ifdef HAVE_X87
    case X87: return snprintf(buffer, size, spec, precision, load_x87(*in));
#endif
    }
    return -1;
}

struct parsed {
    struct bits value;
    size_t length;
    int flags;
    int error;
};

int clew_parse(const char *text, int format, struct parsed *out)
{
    fenv_t saved;
    char *end = 0;
    int done = 1, old_errno = errno;
    if (feholdexcept(&saved) != 0 || fesetround(FE_TONEAREST) != 0)
        return 0;
    errno = 0;
    switch (format) {
    case F32: {
        volatile float r = strtof(text, &end);
        out->flags = clew_exceptions();
        out->value = store_f32(&r);
        break;
    }
    case F64: {
        volatile double r = strtod(text, &end);
        out->flags = clew_exceptions();
        out->value = store_f64(&r);
        break;
    }
#ifdef HAVE_X87
    case X87: {
        volatile long double r = strtold(text, &end);
        out->flags = clew_exceptions();
        out->value = store_x87(&r);
        break;
    }
#endif
    default: done = 0;
    }
    out->error = errno;
    errno = old_errno;
    fesetenv(&saved);
    if (done)
        out->length = (size_t)(end - text);
    return done;
}
