/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <time.h>: clocks show anything that they can show; the fields of a calendar are in the ranges that C gives them. */
#include "clew.h"

typedef long time_t;

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

/* The last second that Linux's clocks can show: they count nanoseconds in 64 bits. Clocks of the interpreter say the
 * same (crates/interpreter/src/libc/closed.rs). */
#define LAST_SECOND 9223372036

/* Clocks go on: a later look may show something else. */
int __clew_clock;

/* -1 where nobody knows. */
time_t time(time_t *place)
{
    __clew_clock = 0;
    time_t now = __clew_nondet_long();
    __clew_assume(now >= -1 && now <= LAST_SECOND);
    if (place != NULL) {
        CLEW_WRITES(place, sizeof *place);
        *place = now;
    }
    return now;
}

long clock(void)
{
    __clew_clock = 0;
    long used = __clew_nondet_long();
    /* It is in millionths; where a long is small, it comes round. */
    __clew_assume(sizeof used == 4 || (used >= -1 && used <= LAST_SECOND * 1000000));
    return used;
}

int clock_gettime(int clock, struct timespec *place)
{
    (void)clock;
    CLEW_WRITES(place, sizeof *place);
    __clew_clock = 0;
    if (__clew_nondet_bool()) {
        return __clew_any_error();
    }
    place->tv_sec = __clew_nondet_long();
    __clew_assume(place->tv_sec >= 0 && place->tv_sec <= LAST_SECOND);
    place->tv_nsec = __clew_nondet_long();
    __clew_assume(place->tv_nsec >= 0 && place->tv_nsec < 1000000000);
    return 0;
}

/* It cannot fail with places that are good, and nothing else is asked of the second one. */
int gettimeofday(struct timeval *restrict place, void *restrict zone)
{
    (void)zone;
    __clew_clock = 0;
    if (place != NULL) {
        CLEW_WRITES(place, sizeof *place);
        place->tv_sec = __clew_nondet_long();
        __clew_assume(place->tv_sec >= 0 && place->tv_sec <= LAST_SECOND);
        place->tv_usec = __clew_nondet_long();
        __clew_assume(place->tv_usec >= 0 && place->tv_usec < 1000000);
    }
    return 0;
}

/* The difference is rounded once, as a whole. */
double difftime(time_t late, time_t early)
{
    if (late >= early) {
        return (double)((unsigned long)late - (unsigned long)early);
    }
    return -(double)((unsigned long)early - (unsigned long)late);
}

static int within(int low, int high)
{
    int value = __clew_nondet_int();
    __clew_assume(value >= low && value <= high);
    return value;
}

static void fill_calendar(struct tm *calendar)
{
    calendar->tm_sec = within(0, 60);
    calendar->tm_min = within(0, 59);
    calendar->tm_hour = within(0, 23);
    calendar->tm_mday = within(1, 31);
    calendar->tm_mon = within(0, 11);
    calendar->tm_year = __clew_nondet_int();
    calendar->tm_wday = within(0, 6);
    calendar->tm_yday = within(0, 365);
    calendar->tm_isdst = __clew_nondet_int();
    calendar->tm_gmtoff = __clew_nondet_long();
    calendar->tm_zone = __clew_any_string();
}

/* A year that does not fit int is an error. */
static struct tm *convert(struct tm *calendar)
{
    if (__clew_nondet_bool()) {
        errno = EOVERFLOW;
        return NULL;
    }
    __clew_maybe_error(); /* the file of the time zone may not be there */
    fill_calendar(calendar);
    return calendar;
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict calendar)
{
    CLEW_READS(time, sizeof *time);
    CLEW_WRITES(calendar, sizeof *calendar);
    return convert(calendar);
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict calendar)
{
    return gmtime_r(time, calendar);
}

/* gmtime and localtime share one object, and what is built on them. */
static struct tm shared;

struct tm *gmtime(const time_t *time)
{
    CLEW_READS(time, sizeof *time);
    return convert(&shared);
}

struct tm *localtime(const time_t *time)
{
    CLEW_READS(time, sizeof *time);
    return convert(&shared);
}

/* Fields outside their ranges are brought into them, unless the time cannot be represented. */
time_t mktime(struct tm *calendar)
{
    CLEW_WRITES(calendar, sizeof *calendar);
    if (__clew_nondet_bool()) {
        errno = EOVERFLOW;
        return -1;
    }
    __clew_maybe_error();
    fill_calendar(calendar);
    return __clew_nondet_long();
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict calendar)
{
    CLEW_STRING(format);
    CLEW_READS(calendar, sizeof *calendar);
    __clew_maybe_error();
    if (size == 0) {
        return 0;
    }
    CLEW_WRITES(to, size);
    if (__clew_nondet_bool()) {
        __clew_havoc(to, size); /* it did not fit: unspecified */
        return 0;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length < size);
    __clew_havoc(to, length);
    to[length] = 0;
    return length;
}

/* The text of asctime is in an object of the library's own, which the next one takes the place of. glibc's has 114 bytes: C
 * asks for 26, and years may have more digits than four. */
static char shown[114];

char *asctime(const struct tm *calendar)
{
    CLEW_READS(calendar, sizeof *calendar);
    if (!__clew_nondet_bool()) {
        __clew_maybe_error();
        return NULL;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length > 0 && length < sizeof shown);
    __clew_havoc(shown, length);
    shown[length] = 0;
    return shown;
}

char *ctime(const time_t *time)
{
    CLEW_READS(time, sizeof *time);
    struct tm *calendar = convert(&shared);
    return calendar == NULL ? NULL : asctime(calendar);
}
