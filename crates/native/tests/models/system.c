/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <unistd.h>, <fcntl.h>, <time.h> and <errno.h> against the host. */
#define _GNU_SOURCE
#include "shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

ssize_t model_read(int, void *, size_t), model_write(int, const void *, size_t);
off_t model_lseek(int, off_t, int);
int model_open(const char *, int, ...), model_close(int), model_pipe(int[2]);
char *model_getcwd(char *, size_t), *model_realpath(const char *, char *);
ssize_t model_readlink(const char *, char *, size_t);
int model_gethostname(char *, size_t);
time_t model_time(time_t *), model_mktime(struct tm *);
clock_t model_clock(void);
double model_difftime(time_t, time_t);
struct tm *model_gmtime(const time_t *), *model_gmtime_r(const time_t *, struct tm *);
size_t model_strftime(char *, size_t, const char *, const struct tm *);
int model_clock_gettime(clockid_t, struct timespec *), model_gettimeofday(struct timeval *, void *);
DIR *model_opendir(const char *);
struct dirent *model_readdir(DIR *);
int model_closedir(DIR *);
int *model___errno_location(void);

static char ours[64], theirs[64];

static void files(void)
{
    static const char path[] = "/nowhere/at/all";
    volatile ssize_t count = 0;
    volatile int number = 0;
    int ends[2], model_ends[2];
    shim_reset();
    shim_object(ours, sizeof ours);
    shim_object(path, sizeof path);
    shim_object(model_ends, sizeof model_ends);
    /* A transfer of the host's, whose bytes go on the tape. */
    SAME(pipe(ends) == 0 && write(ends[1], "some bytes", 10) == 10);
    ssize_t expected = read(ends[0], theirs, sizeof theirs);
    tape_size((size_t)expected);
    tape_bytes(theirs, (size_t)expected);
    GOOD(count = model_read(ends[0], ours, sizeof ours));
    SAME(count == expected && memcmp(ours, theirs, sizeof ours) == 0);
    close(ends[0]);
    close(ends[1]);
    /* An error of the host's. */
    errno = 0;
    int descriptor = open(path, O_RDONLY);
    tape_bool(1);
    tape_int(errno);
    GOOD(number = model_open(path, O_RDONLY));
    SAME(number == descriptor && *model___errno_location() == errno);
    GOOD(number = model_open(path, O_RDONLY));
    SAME(number >= 0);
    GOOD(number = model_close(number));
    GOOD(count = model_lseek(0, 0, SEEK_CUR));
    SAME(count >= 0);
    tape_int(3);
    tape_int(4);
    GOOD(model_pipe(model_ends));
    SAME(model_ends[0] == 3 && model_ends[1] == 4);
    BAD("out-of-bounds", model_read(0, ours, sizeof ours + 1));
    BAD("out-of-bounds", model_write(1, ours + 1, sizeof ours));
    BAD("null-deref", model_write(1, NULL, 1));
    BAD("write-to-const", (shim_const_object(theirs, sizeof theirs), model_read(0, theirs, 1)));
    BAD("out-of-bounds", model_getcwd(ours, sizeof ours + 1));
    char *volatile folder = NULL;
    tape_size(4);
    tape_bytes("/tmp", 4);
    GOOD(folder = model_getcwd(ours, sizeof ours));
    SAME(folder == ours && strcmp(ours, "/tmp") == 0);
}

/* Texts of the host's go on the tape. */
static void names(void)
{
    static const char link[] = "/proc/self/exe", root[] = "/usr/..";
    volatile ssize_t count = 0;
    volatile int number = 0;
    char *volatile name = NULL;
    shim_reset();
    shim_object(ours, sizeof ours);
    shim_object(link, sizeof link);
    shim_object(root, sizeof root);
    memset(ours, 0, sizeof ours);
    memset(theirs, 0, sizeof theirs);
    ssize_t expected = readlink(link, theirs, 8);
    tape_size((size_t)expected);
    tape_bytes(theirs, (size_t)expected);
    GOOD(count = model_readlink(link, ours, 8));
    SAME(count == expected && memcmp(ours, theirs, sizeof ours) == 0);
    tape_clear();
    if (gethostname(theirs, sizeof theirs) == 0) {
        tape_size(strlen(theirs));
        tape_bytes(theirs, strlen(theirs));
        GOOD(number = model_gethostname(ours, sizeof ours));
        SAME(number == 0 && strcmp(ours, theirs) == 0);
        tape_clear();
    }
    char *real = realpath(root, NULL);
    if (real != NULL) {
        tape_size(strlen(real));
        tape_bytes(real, strlen(real));
        GOOD(name = model_realpath(root, ours));
        SAME(name == ours && strcmp(ours, real) == 0);
        tape_clear();
        free(real);
    }
    BAD("out-of-bounds", model_readlink(link, ours, sizeof ours + 1));
    BAD("null-deref", model_readlink(NULL, ours, sizeof ours));
    BAD("out-of-bounds", model_gethostname(ours, sizeof ours + 1));
}

static void tape_calendar(const struct tm *calendar)
{
    const int fields[] = {calendar->tm_sec,  calendar->tm_min,  calendar->tm_hour, calendar->tm_mday, calendar->tm_mon,
                          calendar->tm_year, calendar->tm_wday, calendar->tm_yday, calendar->tm_isdst};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        tape_int(fields[i]);
    }
    tape_int(calendar->tm_gmtoff);
    tape_size(strlen(calendar->tm_zone));
    tape_bytes(calendar->tm_zone, strlen(calendar->tm_zone));
}

static int same_calendar(const struct tm *left, const struct tm *right)
{
    return memcmp(left, right, offsetof(struct tm, tm_zone)) == 0 && strcmp(left->tm_zone, right->tm_zone) == 0;
}

static void clocks(void)
{
    time_t now = (time_t)(random_bits() >> (20 + random_below(40))), model_now = 0;
    struct tm calendar, model;
    const struct tm *volatile shared = NULL;
    memset(&model, 0, sizeof model);
    memset(&calendar, 0, sizeof calendar);
    shim_reset();
    shim_object(&now, sizeof now);
    shim_object(&model_now, sizeof model_now);
    shim_object(&model, sizeof model);
    shim_object(ours, sizeof ours);
    if (gmtime_r(&now, &calendar) != NULL) {
        tape_calendar(&calendar);
        GOOD(model_gmtime_r(&now, &model));
        SAME(same_calendar(&calendar, &model));
        tape_clear();
        tape_calendar(&calendar);
        GOOD(shared = model_gmtime(&now));
        SAME(same_calendar(&calendar, shared));
        tape_clear();
        tape_calendar(&calendar);
        tape_int(timegm(&calendar));
        volatile time_t made = 0;
        GOOD(made = model_mktime(&model));
        SAME(made == now);
    }
    tape_clear();
    time_t earlier = (time_t)random_bits() >> random_below(60);
    long double exact = (long double)now - (long double)earlier;
    SAME(model_difftime(now, earlier) == (double)exact || (exact > 0x1p62L || exact < -0x1p62L));
    volatile time_t shown = 0;
    /* What the host's clock shows is what the models may show. */
    now = time(NULL);
    tape_int(now);
    GOOD(shown = model_time(&model_now));
    SAME(shown == now && model_now == now);
    struct timeval host_day, model_day = {0};
    volatile int failed = gettimeofday(&host_day, NULL);
    SAME(!failed);
    shim_object(&model_day, sizeof model_day);
    tape_int(host_day.tv_sec);
    tape_int(host_day.tv_usec);
    GOOD(failed = model_gettimeofday(&model_day, NULL));
    SAME(!failed && model_day.tv_sec == host_day.tv_sec && model_day.tv_usec == host_day.tv_usec);
    tape_int(123);
    volatile clock_t used = 0;
    GOOD(used = model_clock());
    SAME(used == 123);
}

/* An entry of the host's is one that the model may give. */
static void directories(void)
{
    static const char path[] = "/";
    DIR *volatile opened = NULL, *host = opendir(path);
    struct dirent *volatile entry = NULL, *theirs = readdir(host);
    volatile int failed = 0;
    shim_reset();
    shim_object(path, sizeof path);
    tape_bool(0);
    GOOD(opened = model_opendir(path));
    SAME(opened != NULL);
    tape_clear();
    tape_bool(0);
    tape_bool(0);
    tape_bytes(theirs, sizeof *theirs);
    tape_size(strlen(theirs->d_name));
    GOOD(entry = model_readdir(opened));
    SAME(entry != NULL && memcmp(entry, theirs, offsetof(struct dirent, d_name)) == 0);
    SAME(strcmp(entry->d_name, theirs->d_name) == 0);
    closedir(host);
    tape_clear();
    tape_bool(0);
    GOOD(failed = model_closedir(opened));
    SAME(failed == 0);
    BAD("use-after-free", model_closedir(opened));
    BAD("null-deref", model_readdir(NULL));
    BAD("null-deref", model_opendir(NULL));
}

void test_system(void)
{
    directories();
    files();
    names();
    for (int round = 0; round < 1000; round++) {
        clocks();
    }
    struct tm calendar = {0};
    static const char format[] = "%Y";
    volatile size_t length = 1;
    shim_reset();
    shim_object(&calendar, sizeof calendar);
    shim_object(format, sizeof format);
    shim_object(ours, sizeof ours);
    tape_size(4);
    tape_bytes("1900", 4);
    GOOD(length = model_strftime(ours, sizeof ours, format, &calendar));
    SAME(length == 4 && strcmp(ours, "1900") == 0);
    BAD("out-of-bounds", model_strftime(ours, sizeof ours + 1, format, &calendar));
    BAD("null-deref", model_gmtime(NULL));
    BAD("null-deref", model_clock_gettime(0, NULL));
}
