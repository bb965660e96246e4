/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <math.h>: float; see math.c. */
#include "clew.h"

extern int signgam;

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

static int is_quietf(float nan)
{
    union { float value; unsigned bits; } pun = {nan};
    return (pun.bits & 0x400000) != 0;
}

#include "math.inc"
