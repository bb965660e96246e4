/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <unistd.h> and <fcntl.h>: what the system does is anything that its interface allows. */
#include "clew.h"

/* A count of at most n, or -1 and some errno. */
static ssize_t transferred(size_t n)
{
    long count = __clew_nondet_long();
    __clew_assume(count >= -1 && (count == -1 || (size_t)count <= n));
    if (count == -1)
        CLEW_ERRNO = __clew_nondet_int();
    return count;
}

/* Zero, or -1 and some errno. */
static int succeeded(void)
{
    if (__clew_nondet_int() == 0)
        return 0;
    CLEW_ERRNO = __clew_nondet_int();
    return -1;
}

static int descriptor(void)
{
    int fd = __clew_nondet_int();
    __clew_assume(fd >= -1);
    if (fd == -1)
        CLEW_ERRNO = __clew_nondet_int();
    return fd;
}

ssize_t read(int fd, void *buf, size_t count)
{
    (void)fd;
    CLEW_WRITES(buf, count);
    ssize_t got = transferred(count);
    if (got > 0)
        __clew_havoc(buf, (size_t)got);
    return got;
}

ssize_t pread(int fd, void *buf, size_t count, long offset)
{
    (void)offset;
    return read(fd, buf, count);
}

ssize_t write(int fd, const void *buf, size_t count)
{
    (void)fd;
    CLEW_READS(buf, count);
    return transferred(count);
}

ssize_t pwrite(int fd, const void *buf, size_t count, long offset)
{
    (void)offset;
    return write(fd, buf, count);
}

long lseek(int fd, long offset, int whence)
{
    (void)fd, (void)offset, (void)whence;
    long at = __clew_nondet_long();
    __clew_assume(at >= -1);
    if (at == -1)
        CLEW_ERRNO = __clew_nondet_int();
    return at;
}

int open(const char *pathname, int flags, ...)
{
    (void)flags;
    CLEW_STRING(pathname);
    return descriptor();
}

int close(int fd)
{
    (void)fd;
    return succeeded();
}

int unlink(const char *pathname)
{
    CLEW_STRING(pathname);
    return succeeded();
}

int access(const char *pathname, int mode)
{
    (void)mode;
    CLEW_STRING(pathname);
    return succeeded();
}

int ftruncate(int fd, long length)
{
    (void)fd, (void)length;
    return succeeded();
}

int fsync(int fd)
{
    (void)fd;
    return succeeded();
}

/* Without a buffer, one comes from the heap, of the size that is needed. */
char *getcwd(char *buf, size_t size)
{
    if (buf != NULL)
        CLEW_WRITES(buf, size);
    if (succeeded() != 0)
        return NULL;
    if (buf == NULL) {
        if (size == 0)
            size = 4096;
        buf = __clew_allocate(size);
    }
    __clew_assume(size > 0);
    __clew_havoc(buf, size);
    size_t length = __clew_nondet_size();
    __clew_assume(length < size);
    buf[length] = 0;
    return buf;
}
