/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdio.h>: streams are objects that live while they are open; what they hold is anything. Formatted output and input
 * are in stdio_printf.c and stdio_scanf.c. */
#include "clew.h"

#define EOF (-1)

/* Nothing is known of a stream but that it is open. */
typedef struct clew_file {
    int descriptor;
} FILE;

void *realloc(void *old, size_t size);

static FILE input_stream = {0}, output_stream = {1}, error_stream = {2};
FILE *stdin = &input_stream;
FILE *stdout = &output_stream;
FILE *stderr = &error_stream;

/* 0 or EOF. */
static int done(void)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    return fails ? __clew_any_error() : 0;
}

/* A stream, or null: the file may not exist, memory may be exhausted. */
static FILE *opened(const char *path)
{
    if (__clew_nondet_bool()) {
        __clew_any_error();
        return NULL;
    }
    FILE *stream = __clew_allocate(sizeof *stream);
    stream->descriptor = __clew_nondet_int();
    if (path != NULL) {
        __clew_came('o', stream, -1, path, 0);
    }
    return stream;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    CLEW_STRING(path);
    CLEW_STRING(mode);
    __clew_require("bad-argument", *mode == 'r' || *mode == 'w' || *mode == 'a');
    return opened(path);
}

FILE *fdopen(int descriptor, const char *mode)
{
    (void)descriptor;
    CLEW_STRING(mode);
    __clew_require("bad-argument", *mode == 'r' || *mode == 'w' || *mode == 'a');
    return opened(NULL);
}

FILE *popen(const char *command, const char *mode)
{
    CLEW_STRING(command);
    CLEW_STRING(mode);
    return opened(NULL);
}

FILE *tmpfile(void)
{
    return opened(NULL);
}

/* The standard streams are not on the heap, but end like the others. */
static void close_stream(FILE *stream)
{
    if (stream != &input_stream && stream != &output_stream && stream != &error_stream) {
        __clew_require("bad-argument", __clew_alloc_base(stream));
    }
    __clew_release(stream);
}

int fclose(FILE *stream)
{
    CLEW_POINTER(stream);
    close_stream(stream);
    return done();
}

int pclose(FILE *stream)
{
    CLEW_POINTER(stream);
    close_stream(stream);
    __clew_maybe_error();
    return __clew_nondet_int();
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    if (path != NULL) {
        CLEW_STRING(path);
    }
    CLEW_STRING(mode);
    CLEW_POINTER(stream);
    if (done() == 0) {
        return stream;
    }
    close_stream(stream);
    return NULL;
}

int fflush(FILE *stream)
{
    if (stream != NULL) {
        CLEW_POINTER(stream);
    }
    return done();
}

/* A byte or EOF, which is the end of the file or an error. */
static int input(FILE *stream)
{
    int byte = __clew_nondet_int();
    __clew_assume(byte >= EOF && byte <= 255);
    if (byte == EOF) {
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
    } else {
        __clew_came('B', stream, -1, NULL, (size_t)byte);
    }
    return byte;
}

int fgetc(FILE *stream)
{
    CLEW_POINTER(stream);
    return input(stream);
}

int getc(FILE *stream)
{
    CLEW_POINTER(stream);
    return input(stream);
}

int getchar(void)
{
    return input(&input_stream);
}

int ungetc(int byte, FILE *stream)
{
    CLEW_POINTER(stream);
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    return byte == EOF || fails ? EOF : (unsigned char)byte;
}

/* The byte that was written, or EOF. */
static int output(int byte)
{
    _Bool fails = __clew_nondet_bool();
    __clew_likely(!fails);
    return fails ? __clew_any_error() : (unsigned char)byte;
}

int fputc(int byte, FILE *stream)
{
    CLEW_POINTER(stream);
    return output(byte);
}

int putc(int byte, FILE *stream)
{
    CLEW_POINTER(stream);
    return output(byte);
}

int putchar(int byte)
{
    return output(byte);
}

/* A number that is not negative, or EOF. */
static int written(void)
{
    int result = __clew_nondet_int();
    __clew_assume(result >= EOF);
    __clew_likely(result != EOF);
    if (result == EOF) {
        __clew_maybe_error();
    }
    return result;
}

int fputs(const char *restrict string, FILE *restrict stream)
{
    CLEW_STRING(string);
    CLEW_POINTER(stream);
    return written();
}

int puts(const char *string)
{
    CLEW_STRING(string);
    return written();
}

/* At most size - 1 bytes and a NUL. At the end of the file nothing is written; after an error the buffer is any. */
char *fgets(char *restrict to, int size, FILE *restrict stream)
{
    CLEW_POINTER(stream);
    __clew_require("bad-argument", size > 0);
    CLEW_WRITES(to, (size_t)size);
    if (__clew_nondet_bool()) {
        _Bool fails = __clew_nondet_bool();
        __clew_likely(!fails);
        if (fails) {
            __clew_havoc(to, (size_t)size);
        }
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
        return NULL;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length < (size_t)size && (length > 0 || size == 1));
    __clew_havoc(to, length);
    if (length + 1 < (size_t)size) {
        __clew_came('l', stream, -1, to, length);
    } else {
        __clew_came('L', stream, -1, to, length);
    }
    to[length] = 0;
    return to;
}

/* Nobody can say how long the line is, so no buffer is large enough. */
char *gets(char *to)
{
    size_t length = __clew_nondet_size();
    __clew_assume(length < __PTRDIFF_MAX__);
    CLEW_WRITES(to, length + 1);
    if (__clew_nondet_bool()) {
        __clew_came('$', NULL, 0, NULL, 0);
        __clew_maybe_error();
        return NULL;
    }
    __clew_havoc(to, length);
    __clew_came('G', NULL, 0, to, length);
    to[length] = 0;
    return to;
}

/* The buffer grows as needed, and mostly beyond that. */
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    (void)delimiter;
    CLEW_WRITES(line, sizeof *line);
    CLEW_WRITES(size, sizeof *size);
    CLEW_POINTER(stream);
    size_t length = __clew_nondet_size();
    __clew_assume(length < __PTRDIFF_MAX__);
    if (*line == NULL || *size <= length) {
        size_t room = __clew_nondet_size();
        __clew_assume(room > length && room <= __PTRDIFF_MAX__);
        char *larger = realloc(*line, room);
        if (larger == NULL) {
            return -1;
        }
        *line = larger;
        *size = room;
    }
    if (length == 0) {
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
        return -1; /* the end of the file, or an error */
    }
    CLEW_WRITES(*line, length + 1);
    __clew_havoc(*line, length);
    __clew_came('l', stream, -1, *line, length);
    (*line)[length] = 0;
    return (ssize_t)length;
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return getdelim(line, size, '\n', stream);
}

/* The bytes of count elements; a product that does not fit size_t is more than any object has. */
#define CLEW_ELEMENTS(p, size, count, requirement)                                      \
    do {                                                                                \
        __clew_require("out-of-bounds", (size) == 0 || (count) <= (size_t)-1 / (size)); \
        requirement(p, (size) * (count));                                               \
    } while (0)

/* The last element may be there in part. */
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    CLEW_POINTER(stream);
    if (size == 0 || count == 0) {
        return 0;
    }
    CLEW_ELEMENTS(to, size, count, CLEW_WRITES);
    size_t bytes = __clew_nondet_size();
    __clew_assume(bytes <= size * count);
    __clew_havoc(to, bytes);
    __clew_came('b', stream, -1, to, bytes);
    if (bytes < size * count) {
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
    }
    return bytes / size;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    CLEW_POINTER(stream);
    if (size == 0 || count == 0) {
        return 0;
    }
    CLEW_ELEMENTS(from, size, count, CLEW_READS);
    size_t result = __clew_nondet_size();
    __clew_assume(result <= count);
    __clew_likely(result == count);
    if (result < count) {
        __clew_maybe_error();
    }
    return result;
}

int fseek(FILE *stream, long offset, int whence)
{
    (void)offset;
    CLEW_POINTER(stream);
    __clew_require("bad-argument", whence >= 0 && whence <= 2);
    return done();
}

int fseeko(FILE *stream, long offset, int whence)
{
    return fseek(stream, offset, whence);
}

long ftell(FILE *stream)
{
    CLEW_POINTER(stream);
    long position = __clew_nondet_long();
    __clew_assume(position >= -1);
    if (position == -1) {
        __clew_maybe_error();
    }
    return position;
}

long ftello(FILE *stream)
{
    return ftell(stream);
}

void rewind(FILE *stream)
{
    CLEW_POINTER(stream);
    __clew_maybe_error();
}

int feof(FILE *stream)
{
    CLEW_POINTER(stream);
    int result = __clew_nondet_int();
    __clew_came('?', stream, -1, NULL, result != 0);
    return result;
}

int ferror(FILE *stream)
{
    CLEW_POINTER(stream);
    int result = __clew_nondet_int();
    __clew_likely(result == 0);
    return result;
}

void clearerr(FILE *stream)
{
    CLEW_POINTER(stream);
}

int fileno(FILE *stream)
{
    CLEW_POINTER(stream);
    int number = __clew_nondet_int();
    __clew_assume(number >= -1);
    if (number == -1) {
        __clew_maybe_error();
    }
    return number;
}

/* _IOFBF is 0, _IOLBF 1, _IONBF 2. What the buffer holds later is the library's business. */
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    CLEW_POINTER(stream);
    __clew_require("bad-argument", mode >= 0 && mode <= 2);
    if (buffer != NULL) {
        CLEW_WRITES(buffer, size);
        __clew_havoc(buffer, size);
    }
    return done();
}

/* BUFSIZ is 8192. */
void setbuf(FILE *restrict stream, char *restrict buffer)
{
    setvbuf(stream, buffer, buffer != NULL ? 0 : 2, 8192);
}

int remove(const char *path)
{
    CLEW_STRING(path);
    return done();
}

int rename(const char *old, const char *new)
{
    CLEW_STRING(old);
    CLEW_STRING(new);
    return done();
}

void perror(const char *prefix)
{
    if (prefix != NULL) {
        CLEW_STRING(prefix);
    }
    __clew_maybe_error();
}
