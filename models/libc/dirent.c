/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <dirent.h>: an open directory is an object of the library, like a stream; its entries may be anything. */
#include "clew.h"

/* Nothing is known of it but that it is open. */
typedef struct clew_directory {
    char bytes[64];
} DIR;

struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

struct dirent64 {
    unsigned long long d_ino;
    long long d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

#define CLEW_DIRECTORY(p)                                 \
    do {                                                  \
        __clew_require("null-deref", __clew_not_null(p)); \
        __clew_require("invalid-deref", __clew_valid(p)); \
        __clew_require("use-after-free", __clew_live(p)); \
        __clew_require("bad-argument", __clew_handle(p)); \
    } while (0)

static DIR *opened(void)
{
    if (__clew_nondet_bool()) {
        __clew_any_error();
        return NULL;
    }
    DIR *directory = __clew_own(sizeof *directory, 0);
    __clew_havoc(directory, sizeof *directory);
    return directory;
}

DIR *opendir(const char *path)
{
    CLEW_STRING(path);
    return opened();
}

DIR *fdopendir(int descriptor)
{
    (void)descriptor;
    return opened();
}

/* The end of a name of any length. */
static void end_name(char name[256])
{
    size_t length = __clew_nondet_size();
    __clew_assume(length < 256);
    name[length] = 0;
}

/* Each entry may stand where the last one stood. */
struct dirent *readdir(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_maybe_error();
    if (__clew_nondet_bool()) {
        return NULL;
    }
    struct dirent *entry = __clew_own(sizeof *entry, 1);
    __clew_havoc(entry, sizeof *entry);
    end_name(entry->d_name);
    return entry;
}

struct dirent64 *readdir64(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_maybe_error();
    if (__clew_nondet_bool()) {
        return NULL;
    }
    struct dirent64 *entry = __clew_own(sizeof *entry, 1);
    __clew_havoc(entry, sizeof *entry);
    end_name(entry->d_name);
    return entry;
}

int closedir(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_release(directory);
    return __clew_nondet_bool() ? __clew_any_error() : 0;
}

void rewinddir(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_maybe_error();
}

long telldir(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_maybe_error();
    return __clew_nondet_long();
}

int dirfd(DIR *directory)
{
    CLEW_DIRECTORY(directory);
    __clew_maybe_error();
    int number = __clew_nondet_int();
    __clew_assume(number >= -1);
    return number;
}
