// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <time.h>: dates that are computed, and clocks that only go forward.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static void show(const struct tm *tm)
{
    printf("%d-%d-%d %d:%d:%d wday %d yday %d dst %d off %ld %s\n", tm->tm_year, tm->tm_mon, tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
           tm->tm_wday, tm->tm_yday, tm->tm_isdst, tm->tm_gmtoff, tm->tm_zone);
}

int main(void)
{
    static const time_t times[] = {0, 1, -1, 86399, 951782400, 1700000000, 1709210096, -2208988800, 4102444800, 253402300799, -62135596800};
    setenv("TZ", "UTC", 1);
    tzset();
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm tm;
        char text[200];
        show(gmtime_r(&times[i], &tm));
        show(localtime(&times[i]));
        printf("%ld ", (long)timegm(&tm));
        printf("%ld\n", (long)mktime(&tm));
        printf("%s", asctime(&tm));
        printf("%s", ctime(&times[i]));
        size_t n = strftime(text, sizeof text, "%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %m %M %n %p %r %R %S %t %T %u %U %V %w %W %x %X %y %Y %z %Z %%", &tm);
        printf("%zu %s\n", n, text);
        n = strftime(text, sizeof text, "%k|%l|%P|%s|%-d|%_d|%05Y|%^a|%#Z|%Ey|%Od", &tm);
        printf("%zu %s\n", n, text);
    }
    struct tm odd = {.tm_year = 123, .tm_mon = 14, .tm_mday = -5, .tm_hour = 30, .tm_min = 70, .tm_sec = 100, .tm_isdst = -1};
    printf("%ld\n", (long)mktime(&odd));
    show(&odd);
    char small[5];
    printf("%zu\n", strftime(small, sizeof small, "%Y-%m", &odd));
    printf("%.1f\n", difftime(100, 50));
    setenv("TZ", "XYZ-2:30", 1);
    tzset();
    show(localtime(&times[5]));
    printf("%s %ld %d\n", tzname[0], timezone, daylight);
    time_t now = time(NULL), again;
    time(&again);
    struct timeval tv;
    struct timespec ts;
    gettimeofday(&tv, NULL);
    clock_gettime(CLOCK_MONOTONIC, &ts);
    printf("%d %d %d %d\n", now > 1600000000, again >= now, tv.tv_sec >= now, ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
    printf("%d %ld\n", clock() >= 0, (long)CLOCKS_PER_SEC);
    return 0;
}
