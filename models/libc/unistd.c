/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <unistd.h> and <fcntl.h>: the system does anything that its interface allows. */
#include "clew.h"

/* A count of at most n, or -1. */
static ssize_t transferred(size_t n)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    if (fails) {
        return __clew_any_error();
    }
    size_t count = __clew_nondet_size();
    __clew_assume(count <= n && count <= __PTRDIFF_MAX__);
    return (ssize_t)count;
}

/* 0 or -1. */
static int done(void)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    return fails ? __clew_any_error() : 0;
}

/* A descriptor or -1. */
static int descriptor(void)
{
    if (__clew_nondet_bool()) {
        return __clew_any_error();
    }
    int number = __clew_nondet_int();
    __clew_assume(number >= 0);
    __clew_likely(number > 2);
    return number;
}

/* Of no bytes, null may be the place: POSIX asks nothing of it. */
ssize_t read(int descriptor, void *to, size_t n)
{
    if (n > 0) {
        CLEW_WRITES(to, n);
    }
    ssize_t count = transferred(n);
    if (count > 0) {
        __clew_havoc(to, (size_t)count);
        __clew_came('b', NULL, descriptor, to, (size_t)count);
    }
    if (count < (ssize_t)n) {
        __clew_came('$', NULL, descriptor, NULL, 0);
    }
    return count;
}

ssize_t pread(int descriptor, void *to, size_t n, long offset)
{
    (void)offset;
    return read(descriptor, to, n);
}

ssize_t write(int descriptor, const void *from, size_t n)
{
    (void)descriptor;
    if (n > 0) {
        CLEW_USES(from, n);
    }
    return transferred(n);
}

ssize_t pwrite(int descriptor, const void *from, size_t n, long offset)
{
    (void)offset;
    return write(descriptor, from, n);
}

long lseek(int descriptor, long offset, int whence)
{
    (void)descriptor, (void)offset, (void)whence;
    return transferred(__PTRDIFF_MAX__);
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    CLEW_STRING(path);
    int number = descriptor();
    if (number >= 0) {
        __clew_came('o', NULL, number, path, 0);
    }
    return number;
}

int creat(const char *path, unsigned mode)
{
    (void)mode;
    CLEW_STRING(path);
    return descriptor();
}

int close(int descriptor)
{
    (void)descriptor;
    return done();
}

int dup(int old)
{
    (void)old;
    return descriptor();
}

int dup2(int old, int new)
{
    (void)old;
    return __clew_nondet_bool() ? __clew_any_error() : new;
}

int pipe(int ends[2])
{
    CLEW_WRITES(ends, 2 * sizeof *ends);
    if (done() != 0) {
        return -1;
    }
    ends[0] = descriptor();
    ends[1] = descriptor();
    __clew_assume(ends[0] >= 0 && ends[1] >= 0);
    return 0;
}

int unlink(const char *path)
{
    CLEW_STRING(path);
    return done();
}

int rmdir(const char *path)
{
    CLEW_STRING(path);
    return done();
}

int chdir(const char *path)
{
    CLEW_STRING(path);
    return done();
}

int access(const char *path, int mode)
{
    (void)mode;
    CLEW_STRING(path);
    return done();
}

int ftruncate(int descriptor, long length)
{
    (void)descriptor, (void)length;
    return done();
}

int fsync(int descriptor)
{
    (void)descriptor;
    return done();
}

int isatty(int descriptor)
{
    (void)descriptor;
    return done() == 0;
}

int getpid(void)
{
    int process = __clew_nondet_int();
    __clew_assume(process > 0);
    return process;
}

unsigned sleep(unsigned seconds)
{
    size_t left = __clew_nondet_size();
    __clew_assume(left <= seconds);
    __clew_maybe_error();
    return (unsigned)left;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return done();
}

/* Without a buffer, glibc makes one as large as needed, and at least of the size given. */
char *getcwd(char *to, size_t size)
{
    if (to != NULL) {
        CLEW_WRITES(to, size);
    }
    if (done() != 0) {
        return NULL;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length > 0 && length < __PTRDIFF_MAX__ && (size == 0 ? to == NULL : length < size));
    if (to == NULL) {
        to = __clew_allocate(size > 0 ? size : length + 1);
    }
    __clew_havoc(to, length);
    to[length] = 0;
    __clew_maybe_error();
    __clew_assume(*to == '/'); /* glibc fails where the kernel has no name from the root on */
    return to;
}

/* No NUL is put behind it. */
ssize_t readlink(const char *restrict path, char *restrict to, size_t n)
{
    CLEW_STRING(path);
    CLEW_WRITES(to, n);
    ssize_t count = transferred(n);
    if (count > 0) {
        __clew_havoc(to, (size_t)count);
    }
    return count;
}

/* Of a name that does not fit the first n bytes are there. */
int gethostname(char *to, size_t n)
{
    CLEW_WRITES(to, n);
    if (done() != 0) {
        if (__clew_nondet_bool()) {
            __clew_havoc(to, n);
        }
        return -1;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length < n);
    __clew_havoc(to, length);
    to[length] = 0;
    return 0;
}
