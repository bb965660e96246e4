/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <math.h>: one text for the three float types. The bounds are rounded outwards; they hold for subnormal arguments. */
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
#include "math.inc"

#define T float
#define F(name) name##f
#define ANY __clew_nondet_float
#define INTEGRAL 0x1p23f
#define LARGEST __FLT_MAX__
#define FINITE_EXP 88.72f
#define FINITE_EXP2 127.99f
#define FINITE_GAMMA 35.03f
#define LOG_RANGE -103.3f, 88.73f
#define LOG2_RANGE -149, 128
#define LOG10_RANGE -44.9f, 38.6f
#include "math.inc"

/* x87's 80 bits; the bounds hold for binary128 too, whose integers start later than here. */
#define T long double
#define F(name) name##l
#define ANY __clew_nondet_long_double
#define INTEGRAL 0x1p63L
#define LARGEST __LDBL_MAX__
#define FINITE_EXP 11356.52L
#define FINITE_EXP2 16383.99L
#define FINITE_GAMMA 1755.4L
#define LOG_RANGE -11433, 11357
#define LOG2_RANGE -16494, 16384
#define LOG10_RANGE -4966, 4933
#include "math.inc"
