/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <locale.h>: whether the locale is still C's. In another one the models that depend on it promise only what C and
 * glibc promise for all of them. */
#include "clew.h"

#define LC_ALL 6

/* No other file and no program can write it, so that it is known to be C's where nobody asks for another. */
static _Bool is_foreign;

int __clew_foreign_locale(void)
{
    return is_foreign;
}

static _Bool is_c(const char *name)
{
    if (name[0] == 'C') {
        return name[1] == 0;
    }
    return name[0] == 'P' && name[1] == 'O' && name[2] == 'S' && name[3] == 'I' && name[4] == 'X' && name[5] == 0;
}

/* The empty name is the environment's. The locale of one category may be another's than that of the rest. */
char *setlocale(int category, const char *name)
{
    if (name != NULL) {
        CLEW_STRING(name);
        if (!is_c(name)) {
            is_foreign = __clew_nondet_bool();
        } else if (category == LC_ALL) {
            is_foreign = 0;
        }
    }
    __clew_maybe_error();
    return __clew_nondet_bool() ? NULL : __clew_any_string();
}

/* Which locale an object stands for is not followed. The result is only good for other functions of this kind. */
void *uselocale(void *locale)
{
    if (locale != NULL) {
        is_foreign = __clew_nondet_bool();
    }
    return (void *)__clew_nondet_size();
}
