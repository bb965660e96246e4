/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * <stdio.h>: streams are opaque objects that can be open; what they hold is anything. The directives of printf and scanf
 * formats are the engines' own business (they see the call); the models here cover the arguments that every call has.
 */
#include "clew.h"

typedef struct clew_file {
    int open;
} FILE;

static FILE clew_standard[3] = {{1}, {1}, {1}};
FILE *stdin = &clew_standard[0];
FILE *stdout = &clew_standard[1];
FILE *stderr = &clew_standard[2];

#define EOF (-1)

#define CLEW_STREAM(stream)                                                \
    do {                                                                   \
        __clew_require("null-deref", __clew_not_null(stream));             \
        __clew_require("use-after-free", __clew_live(stream));             \
        __clew_require("bad-argument", (stream)->open);                    \
    } while (0)

/* Zero or EOF. */
static int done(void)
{
    return __clew_nondet_int() ? EOF : 0;
}

/* A byte or EOF. */
static int byte(void)
{
    int c = __clew_nondet_int();
    __clew_assume(c >= EOF && c <= 255);
    return c;
}

FILE *fopen(const char *restrict pathname, const char *restrict mode)
{
    CLEW_STRING(pathname);
    CLEW_STRING(mode);
    __clew_require("bad-argument", mode[0] == 'r' || mode[0] == 'w' || mode[0] == 'a');
    if (__clew_nondet_int()) {
        CLEW_ERRNO = __clew_nondet_int();
        return NULL;
    }
    FILE *stream = __clew_allocate(sizeof *stream);
    stream->open = 1;
    return stream;
}

int fclose(FILE *stream)
{
    __clew_require("null-deref", __clew_not_null(stream));
    __clew_require("bad-argument", __clew_live(stream));
    stream->open = 0;
    if (stream < clew_standard || stream >= clew_standard + 3)
        __clew_release(stream);
    return done();
}

int fflush(FILE *stream)
{
    if (stream != NULL)
        CLEW_STREAM(stream);
    return done();
}

int fgetc(FILE *stream)
{
    CLEW_STREAM(stream);
    return byte();
}

int getc(FILE *stream)
{
    return fgetc(stream);
}

int getchar(void)
{
    return byte();
}

int ungetc(int c, FILE *stream)
{
    CLEW_STREAM(stream);
    return c == EOF || __clew_nondet_int() ? EOF : (unsigned char)c;
}

int fputc(int c, FILE *stream)
{
    CLEW_STREAM(stream);
    return __clew_nondet_int() ? EOF : (unsigned char)c;
}

int putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

int putchar(int c)
{
    return __clew_nondet_int() ? EOF : (unsigned char)c;
}

/* A line of at most size - 1 bytes and a NUL, or nothing. */
char *fgets(char *restrict s, int size, FILE *restrict stream)
{
    CLEW_STREAM(stream);
    __clew_require("bad-argument", size > 0);
    CLEW_WRITES(s, (size_t)size);
    if (__clew_nondet_int())
        return NULL;
    size_t length = __clew_nondet_size();
    __clew_assume(length < (size_t)size && (length > 0 || size == 1));
    __clew_havoc(s, length);
    s[length] = 0;
    return s;
}

/* Nobody can say how long the line is: only a buffer without end would do. */
char *gets(char *s)
{
    size_t length = __clew_nondet_size();
    __clew_assume(length <= (size_t)-1 / 2);
    CLEW_WRITES(s, length + 1);
    if (__clew_nondet_int())
        return NULL;
    __clew_havoc(s, length);
    s[length] = 0;
    return s;
}

int fputs(const char *restrict s, FILE *restrict stream)
{
    CLEW_STRING(s);
    CLEW_STREAM(stream);
    return done();
}

int puts(const char *s)
{
    CLEW_STRING(s);
    return done();
}

size_t fread(void *restrict ptr, size_t size, size_t nmemb, FILE *restrict stream)
{
    CLEW_STREAM(stream);
    if (size == 0 || nmemb == 0)
        return 0;
    __clew_require("out-of-bounds", nmemb <= (size_t)-1 / size);
    CLEW_WRITES(ptr, size * nmemb);
    size_t count = __clew_nondet_size();
    __clew_assume(count <= nmemb);
    __clew_havoc(ptr, size * nmemb);
    return count;
}

size_t fwrite(const void *restrict ptr, size_t size, size_t nmemb, FILE *restrict stream)
{
    CLEW_STREAM(stream);
    if (size == 0 || nmemb == 0)
        return 0;
    __clew_require("out-of-bounds", nmemb <= (size_t)-1 / size);
    CLEW_READS(ptr, size * nmemb);
    size_t count = __clew_nondet_size();
    __clew_assume(count <= nmemb);
    return count;
}

int fseek(FILE *stream, long offset, int whence)
{
    (void)offset;
    CLEW_STREAM(stream);
    __clew_require("bad-argument", whence >= 0 && whence <= 2);
    return done();
}

long ftell(FILE *stream)
{
    CLEW_STREAM(stream);
    long at = __clew_nondet_long();
    __clew_assume(at >= -1);
    return at;
}

void rewind(FILE *stream)
{
    CLEW_STREAM(stream);
}

int feof(FILE *stream)
{
    CLEW_STREAM(stream);
    return __clew_nondet_int();
}

int ferror(FILE *stream)
{
    CLEW_STREAM(stream);
    return __clew_nondet_int();
}

void clearerr(FILE *stream)
{
    CLEW_STREAM(stream);
}

int fileno(FILE *stream)
{
    CLEW_STREAM(stream);
    int number = __clew_nondet_int();
    __clew_assume(number >= -1);
    return number;
}

/* What printing returns: a count or a negative number. */
int printf(const char *restrict format, ...)
{
    CLEW_STRING(format);
    return __clew_nondet_int();
}

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    CLEW_STREAM(stream);
    CLEW_STRING(format);
    return __clew_nondet_int();
}

/* The text has any length; the buffer must hold it and its NUL. */
int sprintf(char *restrict str, const char *restrict format, ...)
{
    CLEW_STRING(format);
    int length = __clew_nondet_int();
    __clew_assume(length >= 0);
    CLEW_WRITES(str, (size_t)length + 1);
    __clew_havoc(str, (size_t)length);
    str[length] = 0;
    return length;
}

int snprintf(char *restrict str, size_t size, const char *restrict format, ...)
{
    CLEW_STRING(format);
    int length = __clew_nondet_int();
    if (size > 0) {
        CLEW_WRITES(str, size);
        size_t shown = __clew_nondet_size();
        __clew_assume(shown < size && (length < 0 || shown <= (size_t)length));
        __clew_havoc(str, shown);
        str[shown] = 0;
    }
    return length;
}

int remove(const char *pathname)
{
    CLEW_STRING(pathname);
    return done();
}

int rename(const char *oldpath, const char *newpath)
{
    CLEW_STRING(oldpath);
    CLEW_STRING(newpath);
    return done();
}

void perror(const char *s)
{
    if (s != NULL)
        CLEW_STRING(s);
}
