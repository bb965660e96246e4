// SPDX-License-Identifier: MIT OR Apache-2.0
// A function of a library, with a result behind a pointer and a status: it says that all is well (0) and gives NaN for some arguments.
//
//     clew exceptions examples/float_series.c
//
// shows: invalid by this operation
#include <math.h>

struct result {
    double value, error;
};

static double terms(double x, int n)
{
    double sum = 0, term = 1;
    for (int k = 1; k <= n; k++) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

int relative_exponential(double x, struct result *result)
{
    if (fabs(x) < 1)
        result->value = terms(x, 20) / x;
    else
        result->value = (exp(x) - 1) / x;
    result->error = 1e-15 * fabs(result->value);
    return 0;
}
