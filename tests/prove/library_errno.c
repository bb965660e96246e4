// SPDX-License-Identifier: MIT OR Apache-2.0
// A function that succeeds may have set errno on its way, unless its description says otherwise.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int table[12];

void texts(void)
{
    long x = 0;
    char b[PATH_MAX];
    errno = 0;
    if (sscanf("99999999999999999999", "%ld", &x) == 1 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (realpath("/tmp", b) != NULL && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (snprintf(b, sizeof b, "%5000d", 1) >= 0 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (strlen("text") == 4 && errno != 0)
        table[12] = 1; // given: out-of-bounds
}

void times(time_t t)
{
    struct tm parts;
    errno = 0;
    if (localtime_r(&t, &parts) != NULL && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (mktime(&parts) != -1 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
}

void floats(double x)
{
    errno = 0;
    double d = atan2(5e-324, 1e308);
    if (errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    d += sin(1e-310);
    if (errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    d += expm1(-1e-310);
    if (errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    d += floor(x);
    if (errno != 0)
        table[12] = 1; // given: out-of-bounds
    table[d > 1] = 1;
}
