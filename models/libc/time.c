/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <time.h>: the clocks show anything; calendar fields are within the ranges that C gives them. */
#include "clew.h"

typedef long time_t;

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

time_t time(time_t *tloc)
{
    time_t now = __clew_nondet_long();
    __clew_assume(now >= -1);
    if (tloc != NULL) {
        CLEW_WRITES(tloc, sizeof *tloc);
        *tloc = now;
    }
    return now;
}

long clock(void)
{
    long used = __clew_nondet_long();
    __clew_assume(used >= -1);
    return used;
}

double difftime(time_t time1, time_t time0)
{
    return (double)time1 - (double)time0;
}

static int in_range(int low, int high)
{
    int value = __clew_nondet_int();
    __clew_assume(value >= low && value <= high);
    return value;
}

static struct tm *broken_down(const time_t *timep, struct tm *result)
{
    CLEW_READS(timep, sizeof *timep);
    if (__clew_nondet_int())
        return NULL;
    result->tm_sec = in_range(0, 60);
    result->tm_min = in_range(0, 59);
    result->tm_hour = in_range(0, 23);
    result->tm_mday = in_range(1, 31);
    result->tm_mon = in_range(0, 11);
    result->tm_year = __clew_nondet_int();
    result->tm_wday = in_range(0, 6);
    result->tm_yday = in_range(0, 365);
    result->tm_isdst = in_range(0, 1);
    result->tm_gmtoff = 0;
    result->tm_zone = "UTC";
    return result;
}

struct tm *gmtime_r(const time_t *timep, struct tm *result)
{
    CLEW_WRITES(result, sizeof *result);
    return broken_down(timep, result);
}

struct tm *localtime_r(const time_t *timep, struct tm *result)
{
    return gmtime_r(timep, result);
}

struct tm *gmtime(const time_t *timep)
{
    static struct tm shared;
    return broken_down(timep, &shared);
}

struct tm *localtime(const time_t *timep)
{
    return gmtime(timep);
}

size_t strftime(char *restrict s, size_t max, const char *restrict format, const struct tm *restrict tm)
{
    CLEW_STRING(format);
    CLEW_READS(tm, sizeof *tm);
    CLEW_WRITES(s, max);
    size_t length = __clew_nondet_size();
    __clew_assume(length < max || max == 0);
    if (max == 0 || length == 0)
        return 0;
    __clew_havoc(s, length);
    s[length] = 0;
    return length;
}
