/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdio.h>: streams are objects of the library that live while they are open; what they hold is anything. Formatted output
 * and input are in stdio_printf.c and stdio_scanf.c. */
#include "clew.h"

#define EOF (-1)

/* Nothing is known of a stream but that it is open; glibc's has so many bytes. */
typedef struct clew_file {
    char bytes[sizeof(void *) == 8 ? 216 : 148];
} FILE;

/* The name says that they are the library's (crates/ir/src/syntax.rs). */
const FILE __clew_handle_stdin = {0}, __clew_handle_stdout = {0}, __clew_handle_stderr = {0};
FILE *stdin = (FILE *)&__clew_handle_stdin;
FILE *stdout = (FILE *)&__clew_handle_stdout;
FILE *stderr = (FILE *)&__clew_handle_stderr;

/* What the program lent to a stream, which may write there whenever a stream is used, and that there is more of it. Nobody
 * says which stream it was, so that the loan never ends. */
void *__clew_lent;
size_t __clew_lent_size;
_Bool __clew_lent_more;

static void lend(void *place, size_t size)
{
    if (__clew_lent == NULL) {
        __clew_lent = place;
        __clew_lent_size = size;
    } else {
        __clew_lent_more = 1;
    }
}

void __clew_streams_used(void)
{
    if (__clew_lent != NULL) {
        __clew_havoc(__clew_lent, __clew_lent_size);
        if (__clew_lent_more) {
            __clew_havoc(__builtin_frame_address(0), 1); /* an address of which nothing is known: anything may have changed */
        }
    }
}

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
    FILE *stream = __clew_own(sizeof *stream, 0);
    __clew_havoc(stream, sizeof *stream);
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

int fclose(FILE *stream)
{
    CLEW_STREAM(stream);
    __clew_release(stream);
    return done();
}

int pclose(FILE *stream)
{
    CLEW_STREAM(stream);
    __clew_release(stream);
    __clew_maybe_error();
    return __clew_nondet_int();
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    if (path != NULL) {
        CLEW_STRING(path);
    }
    CLEW_STRING(mode);
    CLEW_STREAM(stream);
    if (done() == 0) {
        return stream;
    }
    __clew_release(stream);
    return NULL;
}

int fflush(FILE *stream)
{
    if (stream != NULL) {
        CLEW_STREAM(stream);
    }
    __clew_streams_used();
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
    CLEW_STREAM(stream);
    return input(stream);
}

int getc(FILE *stream)
{
    CLEW_STREAM(stream);
    return input(stream);
}

int getchar(void)
{
    CLEW_STANDARD(stdin);
    return input(stdin);
}

int ungetc(int byte, FILE *stream)
{
    CLEW_STREAM(stream);
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
    CLEW_STREAM(stream);
    return output(byte);
}

int putc(int byte, FILE *stream)
{
    CLEW_STREAM(stream);
    return output(byte);
}

int putchar(int byte)
{
    CLEW_STANDARD(stdout);
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
    CLEW_STREAM(stream);
    return written();
}

int puts(const char *string)
{
    CLEW_STRING(string);
    CLEW_STANDARD(stdout);
    return written();
}

/* At most size - 1 bytes and a NUL. At the end of the file nothing is written; after an error the buffer is any. Only what
 * is written is asked for: lines may be shorter than the size says. */
char *fgets(char *restrict to, int size, FILE *restrict stream)
{
    CLEW_STREAM(stream);
    __clew_require("bad-argument", size > 0);
    _Bool fails = __clew_nondet_bool();
    if (fails && __clew_nondet_bool()) {
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
        return NULL;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length < (size_t)size && (length > 0 || size == 1));
    CLEW_WRITES(to, length + 1);
    __clew_havoc(to, length);
    __clew_likely(!fails);
    if (fails) {
        __clew_maybe_error();
        return NULL;
    }
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
    CLEW_STANDARD(stdin);
    if (__clew_nondet_bool()) {
        __clew_came('$', NULL, 0, NULL, 0);
        __clew_maybe_error();
        return NULL;
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length < __PTRDIFF_MAX__);
    CLEW_WRITES(to, length + 1);
    __clew_havoc(to, length);
    __clew_came('G', NULL, 0, to, length);
    to[length] = 0;
    return to;
}

/* The buffer grows as needed, and mostly beyond that. As in glibc, one of size 0 counts as none. */
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    (void)delimiter;
    CLEW_WRITES(line, sizeof *line);
    CLEW_WRITES(size, sizeof *size);
    CLEW_STREAM(stream);
    if (*line == NULL || *size == 0) {
        if (__clew_allocation_fails()) {
            errno = ENOMEM;
            return -1;
        }
        size_t first = __clew_nondet_size();
        __clew_assume(first > 0 && first <= __PTRDIFF_MAX__);
        *line = __clew_allocate(first);
        *size = first;
    }
    if (__clew_nondet_bool()) {
        __clew_came('$', stream, -1, NULL, 0);
        __clew_maybe_error();
        return -1; /* the end of the file, or an error */
    }
    size_t length = __clew_nondet_size();
    __clew_assume(length > 0 && length < __PTRDIFF_MAX__);
    if (*size <= length) {
        size_t room = __clew_nondet_size();
        __clew_assume(room > length && room <= __PTRDIFF_MAX__);
        char *larger = __clew_reallocate(*line, room);
        if (larger == NULL) {
            return -1;
        }
        *line = larger;
        *size = room;
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
    CLEW_STREAM(stream);
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
    CLEW_STREAM(stream);
    if (size == 0 || count == 0) {
        return 0;
    }
    CLEW_ELEMENTS(from, size, count, CLEW_USES);
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
    CLEW_STREAM(stream);
    __clew_require("bad-argument", whence >= 0 && whence <= 2);
    return done();
}

int fseeko(FILE *stream, long offset, int whence)
{
    return fseek(stream, offset, whence);
}

long ftell(FILE *stream)
{
    CLEW_STREAM(stream);
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
    CLEW_STREAM(stream);
    __clew_maybe_error();
}

int feof(FILE *stream)
{
    CLEW_STREAM(stream);
    int result = __clew_nondet_int();
    __clew_came('?', stream, -1, NULL, result != 0);
    return result;
}

int ferror(FILE *stream)
{
    CLEW_STREAM(stream);
    int result = __clew_nondet_int();
    __clew_likely(result == 0);
    return result;
}

void clearerr(FILE *stream)
{
    CLEW_STREAM(stream);
}

typedef struct {
    long position;
    long state;
} fpos_t;

int fgetpos(FILE *restrict stream, fpos_t *restrict place)
{
    CLEW_STREAM(stream);
    CLEW_WRITES(place, sizeof *place);
    if (done() != 0) {
        return -1;
    }
    __clew_havoc(place, sizeof *place);
    return 0;
}

int fsetpos(FILE *stream, const fpos_t *place)
{
    CLEW_STREAM(stream);
    CLEW_READS(place, sizeof *place);
    return done();
}

int fileno(FILE *stream)
{
    CLEW_STREAM(stream);
    int number = __clew_nondet_int();
    __clew_assume(number >= -1);
    if (number == -1) {
        __clew_maybe_error();
    }
    return number;
}

/* _IOFBF is 0, _IOLBF 1, _IONBF 2. The buffer is the stream's from now on; it must live as long as that, which is not
 * known: until the program ends. */
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    CLEW_STREAM(stream);
    __clew_require("bad-argument", mode >= 0 && mode <= 2);
    if (buffer != NULL && mode != 2) {
        CLEW_WRITES(buffer, size);
        __clew_require("use-after-free", __clew_lasting(buffer));
        __clew_havoc(buffer, size);
        lend(buffer, size);
    }
    return done();
}

/* BUFSIZ is 8192. */
void setbuf(FILE *restrict stream, char *restrict buffer)
{
    setvbuf(stream, buffer, buffer != NULL ? 0 : 2, 8192);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size)
{
    setvbuf(stream, buffer, buffer != NULL ? 0 : 2, size);
}

void setlinebuf(FILE *stream)
{
    CLEW_STREAM(stream);
}

/* The stream reads and writes there as long as it is open. Without a buffer it has one of its own. */
FILE *fmemopen(void *restrict buffer, size_t size, const char *restrict mode)
{
    CLEW_STRING(mode);
    if (buffer != NULL) {
        CLEW_WRITES(buffer, size);
        __clew_require("use-after-free", __clew_lasting(buffer));
        __clew_havoc(buffer, size);
        lend(buffer, size);
    }
    return opened(NULL);
}

/* Where the text is, and how long it is, is stored whenever the stream is flushed or closed. */
FILE *open_memstream(char **text, size_t *size)
{
    CLEW_WRITES(text, sizeof *text);
    CLEW_WRITES(size, sizeof *size);
    __clew_require("use-after-free", __clew_lasting(text));
    __clew_require("use-after-free", __clew_lasting(size));
    FILE *stream = opened(NULL);
    if (stream != NULL) {
        lend(text, sizeof *text);
        lend(size, sizeof *size);
        __clew_streams_used();
    }
    return stream;
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
