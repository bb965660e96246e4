/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <math.h>: double. One text serves the three float types, each in a file of its own: most programs need one. The
 * bounds are rounded outwards; they hold for subnormal arguments. */
#include "clew.h"

int signgam;

#define T double
#define F(name) name
#define ANY __clew_nondet_double
#define INTEGRAL 0x1p52        /* from here on every value is an integer */
#define LARGEST __DBL_MAX__
#define FINITE_EXP 709.78      /* exp is finite up to here */
#define FINITE_EXP2 1023.99
#define FINITE_GAMMA 171.6
#define LOG_RANGE -744.5, 709.79
#define LOG2_RANGE -1074, 1024
#define LOG10_RANGE -323.4, 308.3

static int is_quiet(double nan)
{
    union { double value; unsigned long long bits; } pun = {nan};
    return (pun.bits & 0x8000000000000) != 0;
}

#include "math.inc"
