/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What headers call in place of other functions: with -D_FILE_OFFSET_BITS=64, and glibc's own names of what it also has under
 * the name of the standard. */
#include "clew.h"

typedef struct clew_file FILE;

FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
FILE *tmpfile(void);
int fseeko(FILE *stream, long offset, int whence);
long ftello(FILE *stream);
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream);
int open(const char *path, int flags, ...);
int creat(const char *path, unsigned mode);
long lseek(int descriptor, long offset, int whence);
ssize_t pread(int descriptor, void *to, size_t n, long offset);
ssize_t pwrite(int descriptor, const void *from, size_t n, long offset);
int ftruncate(int descriptor, long length);

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return fopen(path, mode);
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return freopen(path, mode, stream);
}

FILE *tmpfile64(void)
{
    return tmpfile();
}

int fseeko64(FILE *stream, long offset, int whence)
{
    return fseeko(stream, offset, whence);
}

long ftello64(FILE *stream)
{
    return ftello(stream);
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    return getdelim(line, size, delimiter, stream);
}

int open64(const char *path, int flags, ...)
{
    return open(path, flags);
}

int creat64(const char *path, unsigned mode)
{
    return creat(path, mode);
}

long lseek64(int descriptor, long offset, int whence)
{
    return lseek(descriptor, offset, whence);
}

ssize_t pread64(int descriptor, void *to, size_t n, long offset)
{
    return pread(descriptor, to, n, offset);
}

ssize_t pwrite64(int descriptor, const void *from, size_t n, long offset)
{
    return pwrite(descriptor, from, n, offset);
}

int ftruncate64(int descriptor, long length)
{
    return ftruncate(descriptor, length);
}
