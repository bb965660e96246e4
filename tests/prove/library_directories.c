// SPDX-License-Identifier: MIT OR Apache-2.0
// Directories are objects of the library that are open or not; comparisons are functions that compare; and errno may
// be set by what succeeds.
#include <dirent.h>
#include <errno.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int numbers[4] = {3, 1, 2, 0};

int all(void)
{
    DIR *directory = opendir(".");
    if (!directory)
        return 0;
    size_t length = 0;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) // proved: null-deref use-after-free bad-argument
        length ^= strlen(entry->d_name);         // proved: string-not-terminated out-of-bounds
    closedir(directory); // proved: null-deref use-after-free
    return (int)(length & 1);
}

int of_nothing(const char *path)
{
    return readdir(opendir(path)) != NULL; // undecided: null-deref
}

void twice(const char *path)
{
    DIR *directory = opendir(path);
    if (directory) {
        closedir(directory);
        closedir(directory); // undecided: use-after-free
    }
}

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int by_int(const int *a, const int *b)
{
    return (*a > *b) - (*a < *b);
}

static void nothing(const void *a, const void *b)
{
    (void)a, (void)b;
}

typedef int comparison(const void *, const void *);

void sorts(void)
{
    qsort(numbers, 4, sizeof *numbers, by_number);             // proved: bad-call
    qsort(numbers, 4, sizeof *numbers, (comparison *)by_int);  // proved: bad-call
    qsort(numbers, 4, sizeof *numbers, (comparison *)nothing); // undecided: bad-call
}

int *finds(void)
{
    int key = 2;
    return bsearch(&key, numbers, 4, sizeof key, (comparison *)nothing); // undecided: bad-call
}

void errors(void)
{
    errno = 0;
    free(malloc(8));
    assert(errno == 0); // open: assertion
}
