/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdio.h>: formatted output. Text, strings, characters and integers are exact, so that what sprintf leaves in a
 * buffer, and whether it fits, can be proved. Floats and pointers are any bytes of a length within bounds. */
#include "clew.h"

typedef __builtin_va_list va_list;
typedef struct clew_file FILE;
extern FILE *stdout;

char *strchrnul(const char *string, int byte);
size_t strnlen(const char *string, size_t most);

/* Arguments that are taken one by one by several functions. */
struct arguments {
    va_list list;
};

/* Where the text goes: `room` bytes at `to` besides the NUL, the rest is only counted. */
struct sink {
    char *to;
    size_t room;
    size_t length;
};

/* The part of the next n bytes that has room, which must exist; they are counted. */
static size_t reserve(struct sink *sink, size_t n)
{
    size_t left = sink->length < sink->room ? sink->room - sink->length : 0;
    size_t stored = n < left ? n : left;
    if (stored > 0) {
        __clew_require("out-of-bounds", __clew_readable(sink->to + sink->length, stored));
        __clew_require("write-to-const", __clew_writable(sink->to + sink->length, stored));
    }
    sink->length += n;
    return stored;
}

static void put_text(struct sink *sink, const char *text, size_t n)
{
    size_t at = sink->length, stored = reserve(sink, n);
    if (stored > 0) {
        __clew_require("overlap", __clew_disjoint(sink->to + at, stored, text, stored));
        __clew_copy(sink->to + at, text, stored);
    }
}

static void put_fill(struct sink *sink, char byte, size_t n)
{
    size_t at = sink->length, stored = reserve(sink, n);
    if (stored > 0) {
        __clew_fill(sink->to + at, byte, stored);
    }
}

/* Any bytes, between `low` and `high` of them. */
static void put_any(struct sink *sink, size_t low, size_t high)
{
    size_t n = __clew_nondet_size(), at = sink->length;
    __clew_assume(n >= low && n <= high);
    size_t stored = reserve(sink, n);
    if (stored > 0) {
        __clew_havoc(sink->to + at, stored);
    }
}

/* The sizes that a length modifier gives to an integer. */
enum size { INT, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE };

struct directive {
    _Bool left, plus, space, alternate, zero, grouped;
    size_t width;
    _Bool has_precision;
    size_t precision;
    enum size size;
    char conversion;
};

/* Exact loop. A number that does not fit int is undefined. */
static const char *parse_number(const char *format, size_t *number)
{
    *number = 0;
    while (*format >= '0' && *format <= '9') {
        *number = *number * 10 + (size_t)(*format++ - '0');
        __clew_require("bad-argument", *number <= __INT_MAX__);
    }
    return format;
}

/* Exact loop. The quote asks for grouping, which only the C locale does not have. */
static const char *parse_flags(const char *format, struct directive *directive)
{
    for (;; format++) {
        if (*format == '-') {
            directive->left = 1;
        } else if (*format == '+') {
            directive->plus = 1;
        } else if (*format == ' ') {
            directive->space = 1;
        } else if (*format == '#') {
            directive->alternate = 1;
        } else if (*format == '0') {
            directive->zero = 1;
        } else if (*format == '\'') {
            directive->grouped = __clew_foreign_locale();
        } else {
            return format;
        }
    }
}

static const char *parse_width(const char *format, struct directive *directive, struct arguments *arguments)
{
    if (*format != '*') {
        return parse_number(format, &directive->width);
    }
    long width = __builtin_va_arg(arguments->list, int);
    directive->left = directive->left || width < 0;
    directive->width = (size_t)(width < 0 ? -width : width);
    return format + 1;
}

/* A negative one counts as none. */
static const char *parse_precision(const char *format, struct directive *directive, struct arguments *arguments)
{
    if (*format != '.') {
        return format;
    }
    directive->has_precision = 1;
    if (format[1] != '*') {
        return parse_number(format + 1, &directive->precision);
    }
    int precision = __builtin_va_arg(arguments->list, int);
    directive->has_precision = precision >= 0;
    directive->precision = precision >= 0 ? (size_t)precision : 0;
    return format + 2;
}

static const char *parse_size(const char *format, enum size *size)
{
    switch (*format) {
    case 'h':
        *size = format[1] == 'h' ? CHAR : SHORT;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *size = format[1] == 'l' ? LONG_LONG : LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'q':
        *size = LONG_LONG;
        return format + 1;
    case 'L':
        *size = LONG_DOUBLE;
        return format + 1;
    case 'j':
        *size = LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        *size = LONG;
        return format + 1;
    default:
        return format;
    }
}

static long long signed_argument(struct arguments *arguments, enum size size)
{
    if (size == LONG) {
        return __builtin_va_arg(arguments->list, long);
    }
    if (size == LONG_LONG || size == LONG_DOUBLE) {
        return __builtin_va_arg(arguments->list, long long);
    }
    int value = __builtin_va_arg(arguments->list, int);
    return size == CHAR ? (signed char)value : size == SHORT ? (short)value : value;
}

static unsigned long long unsigned_argument(struct arguments *arguments, enum size size)
{
    if (size == LONG) {
        return __builtin_va_arg(arguments->list, unsigned long);
    }
    if (size == LONG_LONG || size == LONG_DOUBLE) {
        return __builtin_va_arg(arguments->list, unsigned long long);
    }
    unsigned value = __builtin_va_arg(arguments->list, unsigned);
    return size == CHAR ? (unsigned char)value : size == SHORT ? (unsigned short)value : value;
}

/* A field: prefix, zeros and digits, with the width around them. */
static void put_number(struct sink *sink, const struct directive *directive, const char *prefix, size_t prefix_length,
                       const char *digits, size_t n)
{
    size_t zeros = directive->has_precision && directive->precision > n ? directive->precision - n : 0;
    size_t length = prefix_length + zeros + n;
    size_t padding = directive->width > length ? directive->width - length : 0;
    if (directive->zero && !directive->left && !directive->has_precision) {
        zeros += padding;
        padding = 0;
    }
    put_fill(sink, ' ', directive->left ? 0 : padding);
    put_text(sink, prefix, prefix_length);
    put_fill(sink, '0', zeros);
    put_text(sink, digits, n);
    put_fill(sink, ' ', directive->left ? padding : 0);
}

/* Exact loop: the digits, from the end of the buffer on backwards. Zero with precision zero has none. No number has more
 * than 22 of them, which an engine that knows nothing of the value is told by the bound. */
static size_t make_digits(char digits[24], unsigned long long value, unsigned base, const struct directive *directive)
{
    const char *letters = directive->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    size_t n = 0;
    if (value == 0 && !(directive->has_precision && directive->precision == 0)) {
        digits[23 - n++] = '0';
    }
    for (; n < 22 && value != 0; value /= base) {
        digits[23 - n++] = letters[value % base];
    }
    return n;
}

/* A number of n digits in groups, with a separator of up to 16 bytes behind each digit at worst. */
static void put_grouped(struct sink *sink, const struct directive *directive, size_t n)
{
    size_t digits = directive->has_precision && directive->precision > n ? directive->precision : n;
    size_t low = n > directive->width ? n : directive->width, high = 1 + 17 * digits;
    put_any(sink, low, high > directive->width ? high : directive->width);
}

static void put_signed(struct sink *sink, const struct directive *directive, struct arguments *arguments)
{
    char digits[24];
    long long value = signed_argument(arguments, directive->size);
    unsigned long long magnitude = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    size_t n = make_digits(digits, magnitude, 10, directive);
    if (directive->grouped) {
        put_grouped(sink, directive, n);
        return;
    }
    const char *sign = value < 0 ? "-" : directive->plus ? "+" : " ";
    put_number(sink, directive, sign, value < 0 || directive->plus || directive->space, digits + 24 - n, n);
}

static void put_unsigned(struct sink *sink, struct directive *directive, struct arguments *arguments)
{
    char digits[24];
    unsigned base = directive->conversion == 'u' ? 10 : directive->conversion == 'o' ? 8 : 16;
    unsigned long long value = unsigned_argument(arguments, directive->size);
    size_t n = make_digits(digits, value, base, directive), prefix_length = 0;
    if (directive->grouped) {
        put_grouped(sink, directive, n);
        return;
    }
    if (directive->alternate && base == 16 && value != 0) {
        prefix_length = 2;
    } else if (directive->alternate && base == 8 && (n == 0 || digits[24 - n] != '0')) {
        /* One zero more, unless the precision gives it. */
        digits[24 - ++n] = '0';
    }
    put_number(sink, directive, directive->conversion == 'X' ? "0X" : "0x", prefix_length, digits + 24 - n, n);
}

static void put_padded(struct sink *sink, const struct directive *directive, const char *text, size_t n)
{
    size_t padding = directive->width > n ? directive->width - n : 0;
    put_fill(sink, ' ', directive->left ? 0 : padding);
    put_text(sink, text, n);
    put_fill(sink, ' ', directive->left ? padding : 0);
}

static void put_string(struct sink *sink, const struct directive *directive, struct arguments *arguments)
{
    const char *string = __builtin_va_arg(arguments->list, const char *);
    if (directive->has_precision) {
        put_padded(sink, directive, string, directive->precision > 0 ? strnlen(string, directive->precision) : 0);
        return;
    }
    CLEW_STRING(string);
    put_padded(sink, directive, string, __clew_nul_position(string));
}

static void put_character(struct sink *sink, const struct directive *directive, struct arguments *arguments)
{
    char byte = (char)__builtin_va_arg(arguments->list, int);
    put_padded(sink, directive, &byte, 1);
}

/* A field of any bytes, of which at most `most` are not from width or precision. */
static void put_field(struct sink *sink, const struct directive *directive, size_t low, size_t most)
{
    most += directive->has_precision ? directive->precision : 6;
    put_any(sink, low > directive->width ? low : directive->width, most > directive->width ? most : directive->width);
}

/* Only %f writes all digits before the point: 4933 of a long double, fewer of what is small. */
static void put_float(struct sink *sink, const struct directive *directive, struct arguments *arguments)
{
    _Bool small = 0;
    if (directive->size == LONG_DOUBLE) {
        (void)__builtin_va_arg(arguments->list, long double);
    } else {
        double value = __builtin_va_arg(arguments->list, double);
        small = !__builtin_isnan(value) && __builtin_fabs(value) < 1e10;
    }
    _Bool fixed = directive->conversion == 'f' || directive->conversion == 'F';
    size_t most = fixed ? small ? 13 : 4940 : 40;
    if (__clew_foreign_locale()) {
        most = directive->grouped ? most * 17 : most + 16; /* a decimal point has up to 16 bytes, as a separator has */
    }
    put_field(sink, directive, 1, most);
}

/* %n: how much has been written so far. */
static void store_count(const struct sink *sink, enum size size, struct arguments *arguments)
{
    void *place = __builtin_va_arg(arguments->list, void *);
    size_t bytes = size == CHAR    ? 1
                   : size == SHORT ? sizeof(short)
                   : size == INT   ? sizeof(int)
                   : size == LONG  ? sizeof(long)
                                   : sizeof(long long);
    long count = (long)sink->length;
    CLEW_WRITES(place, bytes);
    if (size == CHAR) {
        *(signed char *)place = (signed char)count;
    } else if (size == SHORT) {
        *(short *)place = (short)count;
    } else if (size == INT) {
        *(int *)place = (int)count;
    } else if (size == LONG) {
        *(long *)place = count;
    } else {
        *(long long *)place = count;
    }
}

static void put_wide(struct sink *sink, const struct directive *directive, struct arguments *arguments)
{
    if (directive->conversion == 'c') {
        (void)__builtin_va_arg(arguments->list, unsigned);
        put_field(sink, directive, 0, 16);
    } else {
        const void *string = __builtin_va_arg(arguments->list, const void *);
        CLEW_POINTER(string);
        put_any(sink, directive->width, __INT_MAX__);
    }
}

static void put_directive(struct sink *sink, struct directive *directive, struct arguments *arguments)
{
    switch (directive->conversion) {
    case 'd':
    case 'i':
        put_signed(sink, directive, arguments);
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_unsigned(sink, directive, arguments);
        break;
    case 'c':
    case 's':
        if (directive->size == LONG) {
            put_wide(sink, directive, arguments);
        } else if (directive->conversion == 'c') {
            put_character(sink, directive, arguments);
        } else {
            put_string(sink, directive, arguments);
        }
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        put_float(sink, directive, arguments);
        break;
    case 'p':
        (void)__builtin_va_arg(arguments->list, void *);
        put_field(sink, directive, 3, 20);
        break;
    case 'n':
        store_count(sink, directive->size, arguments);
        break;
    case 'm': /* the text of errno */
        put_any(sink, directive->width, __INT_MAX__);
        break;
    case '%':
        put_text(sink, "%", 1);
        break;
    default:
        __clew_require("bad-argument", 0);
    }
}

/* Exact loop: plain text up to the next directive, then the directive. */
static void print(struct sink *sink, const char *format, struct arguments *arguments)
{
    CLEW_STRING(format);
    while (*format != 0) {
        const char *next = strchrnul(format, '%');
        put_text(sink, format, (size_t)(next - format));
        format = next;
        if (*format == '%') {
            struct directive directive = {0};
            format = parse_flags(format + 1, &directive);
            format = parse_width(format, &directive, arguments);
            format = parse_precision(format, &directive, arguments);
            format = parse_size(format, &directive.size);
            directive.conversion = *format;
            put_directive(sink, &directive, arguments);
            format++;
        }
    }
}

/* The length as a result. */
static int result(const struct sink *sink)
{
    if (sink->length > __INT_MAX__) {
        errno = EOVERFLOW;
        return -1;
    }
    __clew_maybe_error(); /* a long field needs memory, a stream is asked whether it is a terminal */
    return (int)sink->length;
}

int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list list)
{
    struct arguments arguments;
    struct sink sink = {to, size > 0 ? size - 1 : 0, 0};
    __builtin_va_copy(arguments.list, list);
    if (size > 0) {
        CLEW_WRITES(to, 1);
    }
    print(&sink, format, &arguments);
    __builtin_va_end(arguments.list);
    if (size > 0) {
        char *end = to + (sink.length < sink.room ? sink.length : sink.room);
        __clew_require("out-of-bounds", __clew_readable(end, 1));
        __clew_require("write-to-const", __clew_writable(end, 1));
        *end = 0;
    }
    return result(&sink);
}

int vsprintf(char *restrict to, const char *restrict format, va_list list)
{
    return vsnprintf(to, (size_t)-1, format, list);
}

/* Output to a stream: nothing is stored, and it may fail. */
static int to_stream(const char *format, va_list list)
{
    int length = vsnprintf(NULL, 0, format, list);
    return __clew_nondet_bool() ? __clew_any_error() : length;
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list list)
{
    CLEW_STREAM(stream);
    return to_stream(format, list);
}

int vprintf(const char *restrict format, va_list list)
{
    CLEW_STANDARD(stdout);
    return to_stream(format, list);
}

int vdprintf(int descriptor, const char *restrict format, va_list list)
{
    (void)descriptor;
    return to_stream(format, list);
}

/* The text is any: its length was counted in one pass, and floats may come out otherwise in another. */
int vasprintf(char **restrict place, const char *restrict format, va_list list)
{
    CLEW_WRITES(place, sizeof *place);
    int length = vsnprintf(NULL, 0, format, list);
    if (length < 0 || __clew_allocation_fails()) {
        /* The pointer is undefined by the manual; glibc leaves it or makes it null. */
        if (__clew_nondet_bool()) {
            *place = NULL;
        }
        __clew_maybe_error();
        return -1;
    }
    *place = __clew_allocate((size_t)length + 1);
    __clew_havoc(*place, (size_t)length);
    (*place)[length] = 0;
    return length;
}

/* The same with the arguments themselves. */
#define WITH_LIST(last, call)       \
    va_list list;                   \
    __builtin_va_start(list, last); \
    int length = call;              \
    __builtin_va_end(list);         \
    return length

int printf(const char *restrict format, ...)
{
    WITH_LIST(format, vprintf(format, list));
}

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    WITH_LIST(format, vfprintf(stream, format, list));
}

int dprintf(int descriptor, const char *restrict format, ...)
{
    WITH_LIST(format, vdprintf(descriptor, format, list));
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    WITH_LIST(format, vsprintf(to, format, list));
}

int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    WITH_LIST(format, vsnprintf(to, size, format, list));
}

int asprintf(char **restrict place, const char *restrict format, ...)
{
    WITH_LIST(format, vasprintf(place, format, list));
}
