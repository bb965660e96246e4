/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What _FORTIFY_SOURCE makes of calls: the function with the size of the object, which ends a run that would write behind it.
 * Here the plain function asks for more, so that size and flags say nothing. */
#include "clew.h"

typedef __builtin_va_list va_list;
typedef struct clew_file FILE;

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *mempcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
char *strcpy(char *restrict to, const char *restrict from);
char *stpcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *stpncpy(char *restrict to, const char *restrict from, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t n);
int vsprintf(char *restrict to, const char *restrict format, va_list list);
int vsnprintf(char *restrict to, size_t n, const char *restrict format, va_list list);
int vprintf(const char *restrict format, va_list list);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list list);
char *fgets(char *restrict to, int n, FILE *restrict stream);
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream);
ssize_t read(int descriptor, void *to, size_t n);

/* Three arguments. */
#define BYTES(result, name, to_type, from_type)                              \
    result __##name##_chk(to_type to, from_type from, size_t n, size_t size) \
    {                                                                        \
        (void)size;                                                          \
        return name(to, from, n);                                            \
    }

/* Two arguments. */
#define TEXT(name)                                                                  \
    char *__##name##_chk(char *restrict to, const char *restrict from, size_t size) \
    {                                                                               \
        (void)size;                                                                 \
        return name(to, from);                                                      \
    }

BYTES(void *, memcpy, void *restrict, const void *restrict)
BYTES(void *, mempcpy, void *restrict, const void *restrict)
BYTES(void *, memmove, void *, const void *)
BYTES(void *, memset, void *, int)
BYTES(char *, strncpy, char *restrict, const char *restrict)
BYTES(char *, stpncpy, char *restrict, const char *restrict)
BYTES(char *, strncat, char *restrict, const char *restrict)
TEXT(strcpy)
TEXT(stpcpy)
TEXT(strcat)

ssize_t __read_chk(int descriptor, void *to, size_t n, size_t size)
{
    (void)size;
    return read(descriptor, to, n);
}

char *__fgets_chk(char *restrict to, size_t size, int n, FILE *restrict stream)
{
    (void)size;
    return fgets(to, n, stream);
}

size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count, FILE *restrict stream)
{
    (void)room;
    return fread(to, size, count, stream);
}

int __vsprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, va_list list)
{
    (void)flag, (void)size;
    return vsprintf(to, format, list);
}

int __vsnprintf_chk(char *restrict to, size_t n, int flag, size_t size, const char *restrict format, va_list list)
{
    (void)flag, (void)size;
    return vsnprintf(to, n, format, list);
}

int __vprintf_chk(int flag, const char *restrict format, va_list list)
{
    (void)flag;
    return vprintf(format, list);
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list list)
{
    (void)flag;
    return vfprintf(stream, format, list);
}

/* The same with the arguments themselves. */
#define WITH_LIST(call)               \
    va_list list;                     \
    __builtin_va_start(list, format); \
    int length = call;                \
    __builtin_va_end(list);           \
    return length

int __sprintf_chk(char *restrict to, int flag, size_t size, const char *restrict format, ...)
{
    WITH_LIST(__vsprintf_chk(to, flag, size, format, list));
}

int __snprintf_chk(char *restrict to, size_t n, int flag, size_t size, const char *restrict format, ...)
{
    WITH_LIST(__vsnprintf_chk(to, n, flag, size, format, list));
}

int __printf_chk(int flag, const char *restrict format, ...)
{
    WITH_LIST(__vprintf_chk(flag, format, list));
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...)
{
    WITH_LIST(__vfprintf_chk(stream, flag, format, list));
}
