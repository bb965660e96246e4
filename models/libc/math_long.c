/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <math.h>: long double; see math.c. */
#include "clew.h"

extern int signgam;

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

/* The x87 has patterns of no use that count as NaNs; other formats keep the bit elsewhere. */
static int is_quietl(long double nan)
{
    union { long double value; unsigned long long low; } pun = {nan};
    int is_plain = __LDBL_MANT_DIG__ == 64 && pun.low >> 63 != 0;
    return is_plain ? (pun.low & 0x4000000000000000) != 0 : __clew_nondet_bool();
}

#include "math.inc"
