/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdio.h>: formatted input. Input may end or not match at any directive; what is stored is any value. The places must
 * be large enough for the longest field: without a width, as long as the string that is read, or without bound. */
#include "clew.h"

#define EOF (-1)

typedef __builtin_va_list va_list;
typedef struct clew_file FILE;
extern FILE *stdin;

/* Arguments that are taken one by one by several functions, and the stream that is read, if it is one: standard input goes by
 * its descriptor. */
struct arguments {
    va_list list;
    FILE *stream;
    int descriptor;
    _Bool is_stream;
    const char *text; /* that is read, else null */
    size_t bytes;     /* of the text */
};

struct directive {
    _Bool suppressed;
    _Bool allocates; /* %ms */
    size_t width;    /* 0: none */
    char size;       /* the length modifier: 0, h, H for hh, l, q for ll and j, L */
    char conversion;
};

/* Exact loop. */
static const char *parse_width(const char *format, size_t *width)
{
    while (*format >= '0' && *format <= '9') {
        *width = *width * 10 + (size_t)(*format++ - '0');
        __clew_require("bad-argument", *width <= __INT_MAX__);
    }
    return format;
}

static const char *parse_size(const char *format, char *size)
{
    char first = *format;
    if ((first == 'h' || first == 'l') && format[1] == first) {
        *size = first == 'h' ? 'H' : 'q';
        return format + 2;
    }
    if (first == 'h' || first == 'l' || first == 'L' || first == 'q') {
        *size = first;
        return format + 1;
    }
    if (first == 'j' || first == 'z' || first == 't') {
        *size = 'q';
        return format + 1;
    }
    return format;
}

/* Exact loop: past the bracket that ends a set. One that stands first belongs to it. */
static const char *skip_set(const char *format)
{
    if (*format == '^') {
        format++;
    }
    if (*format == ']') {
        format++;
    }
    while (*format != ']') {
        __clew_require("bad-argument", *format != 0);
        format++;
    }
    return format + 1;
}

static const char *parse(const char *format, struct directive *directive)
{
    if (*format == '*') {
        directive->suppressed = 1;
        format++;
    }
    format = parse_width(format, &directive->width);
    if (*format == 'm') {
        directive->allocates = 1;
        format++;
    }
    format = parse_size(format, &directive->size);
    directive->conversion = *format;
    __clew_require("bad-argument", *format != 0);
    return *format == '[' ? skip_set(format + 1) : format + 1;
}

/* For witnesses: what stands on the stream. */
static void came(const struct arguments *arguments, int how, const void *bytes, size_t n)
{
    if (arguments->is_stream) {
        __clew_came(how, arguments->stream, arguments->descriptor, bytes, n);
    }
}

/* Where something is stored is no part of the text that is read. */
static void require_apart(const struct arguments *arguments, const void *place, size_t bytes)
{
    if (arguments->text != NULL) {
        __clew_require("overlap", __clew_disjoint(place, bytes, arguments->text, arguments->bytes));
    }
}

static void store_any(struct arguments *arguments, int how, size_t bytes)
{
    void *place = __builtin_va_arg(arguments->list, void *);
    CLEW_WRITES(place, bytes);
    require_apart(arguments, place, bytes);
    __clew_havoc(place, bytes);
    came(arguments, how, place, bytes);
}

static size_t integer_bytes(char size)
{
    switch (size) {
    case 'H':
        return 1;
    case 'h':
        return sizeof(short);
    case 'l':
        return sizeof(long);
    case 'q':
    case 'L':
        return sizeof(long long);
    default:
        return sizeof(int);
    }
}

/* How many of the characters are stored: of %c with a width, the input may end before the last. */
static size_t matched(size_t length, size_t nul)
{
    if (nul > 0 || length == 1) {
        return length;
    }
    size_t stored = __clew_nondet_size();
    __clew_assume(stored > 0 && stored <= length);
    return stored;
}

/* Characters, with a NUL behind them unless it is %c. Wide ones are four bytes each. */
static void store_text(const struct directive *directive, struct arguments *arguments, size_t longest)
{
    size_t unit = directive->size == 'l' ? 4 : 1, length = directive->width > 0 ? directive->width : 1;
    size_t nul = directive->conversion == 'c' ? 0 : unit;
    if (nul > 0) {
        size_t most = directive->width > 0 && directive->width < longest ? directive->width : longest;
        length = __clew_nondet_size();
        __clew_assume(length > 0 && length <= most && length < __PTRDIFF_MAX__ / 4);
    }
    char *place;
    if (directive->allocates) {
        char **pointer = __builtin_va_arg(arguments->list, char **);
        CLEW_WRITES(pointer, sizeof *pointer);
        place = *pointer = __clew_allocate(length * unit + nul);
    } else {
        place = __builtin_va_arg(arguments->list, char *);
        CLEW_WRITES(place, length * unit + nul);
        require_apart(arguments, place, length * unit + nul);
    }
    size_t bytes = matched(length, nul) * unit;
    __clew_havoc(place, bytes);
    if (unit == 1) {
        came(arguments, nul > 0 ? 's' : 'b', place, bytes);
    }
    __clew_fill(place + length * unit, 0, nul);
}

/* Stores what the directive matched. */
static void store(const struct directive *directive, struct arguments *arguments, size_t longest)
{
    switch (directive->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'n':
        store_any(arguments, directive->conversion, integer_bytes(directive->size));
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        store_any(arguments, 'f',
                  directive->size == 'L'   ? sizeof(long double)
                  : directive->size == 'l' ? sizeof(double)
                                           : sizeof(float));
        break;
    case 'p':
        store_any(arguments, 'p', sizeof(void *));
        break;
    case 'c':
    case 's':
    case '[':
        store_text(directive, arguments, longest);
        break;
    default:
        __clew_require("bad-argument", directive->conversion == '%');
    }
}

/* Exact loop over the format. White space and plain text only decide whether the input goes on matching. */
static int scan(const char *format, struct arguments *arguments, size_t longest)
{
    int stored = 0;
    CLEW_STRING(format);
    while (*format != 0) {
        if (__clew_nondet_bool()) {
            int result = stored == 0 && __clew_nondet_bool() ? EOF : stored;
            __clew_likely(stored > 0 || result == EOF);
            came(arguments, '$', NULL, 0);
            __clew_maybe_error();
            return result;
        }
        if (*format != '%') {
            came(arguments, 't', format, 1);
        }
        if (*format++ == '%') {
            struct directive directive = {0};
            format = parse(format, &directive);
            if (!directive.suppressed) {
                store(&directive, arguments, longest);
                stored += directive.conversion != 'n' && directive.conversion != '%';
            }
        }
    }
    __clew_maybe_error(); /* a number that does not fit is stored all the same */
    return stored;
}

static int scan_list(const char *format, va_list list, size_t longest, FILE *stream, const char *text)
{
    _Bool is_stream = text == NULL;
    struct arguments arguments;
    arguments.text = text;
    arguments.bytes = longest + 1;
    arguments.stream = stream;
    arguments.descriptor = stream == NULL ? 0 : -1;
    arguments.is_stream = is_stream;
    __builtin_va_copy(arguments.list, list);
    int stored = scan(format, &arguments, longest);
    __builtin_va_end(arguments.list);
    return stored;
}

static int from_string(const char *string, const char *format, va_list list)
{
    CLEW_STRING(string);
    return scan_list(format, list, __clew_nul_position(string), NULL, string);
}

static int from_stream(FILE *stream, const char *format, va_list list)
{
    CLEW_STREAM(stream);
    return scan_list(format, list, __PTRDIFF_MAX__, stream, NULL);
}

static int from_input(const char *format, va_list list)
{
    CLEW_STANDARD(stdin);
    return scan_list(format, list, __PTRDIFF_MAX__, NULL, NULL);
}

/* The functions, under each of the names that glibc's headers call them by, depending on the version of C. */
#define FAMILY(prefix)                                                                          \
    int prefix##vsscanf(const char *restrict string, const char *restrict format, va_list list) \
    {                                                                                           \
        return from_string(string, format, list);                                               \
    }                                                                                           \
    int prefix##vfscanf(FILE *restrict stream, const char *restrict format, va_list list)       \
    {                                                                                           \
        return from_stream(stream, format, list);                                               \
    }                                                                                           \
    int prefix##vscanf(const char *restrict format, va_list list)                               \
    {                                                                                           \
        return from_input(format, list);                                                        \
    }                                                                                           \
    int prefix##sscanf(const char *restrict string, const char *restrict format, ...)           \
    {                                                                                           \
        WITH_LIST(format, from_string(string, format, list));                                   \
    }                                                                                           \
    int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...)                 \
    {                                                                                           \
        WITH_LIST(format, from_stream(stream, format, list));                                   \
    }                                                                                           \
    int prefix##scanf(const char *restrict format, ...)                                         \
    {                                                                                           \
        WITH_LIST(format, from_input(format, list));                                            \
    }

/* Calls with the arguments as a list. */
#define WITH_LIST(last, call)       \
    va_list list;                   \
    __builtin_va_start(list, last); \
    int stored = call;              \
    __builtin_va_end(list);         \
    return stored

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)
