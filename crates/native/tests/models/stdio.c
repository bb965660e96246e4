/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdio.h> against the host. */
#define _GNU_SOURCE
#include "shim.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

int model_snprintf(char *, size_t, const char *, ...), model_sprintf(char *, const char *, ...);
int model_printf(const char *, ...), model_fprintf(void *, const char *, ...), model_asprintf(char **, const char *, ...);
int model_sscanf(const char *, const char *, ...), model_scanf(const char *, ...);
int model___isoc99_sscanf(const char *, const char *, ...);
void *model_fopen(const char *, const char *);
int model_fclose(void *), model_fgetc(void *), model_fputs(const char *, void *), model_fflush(void *);
int model_puts(const char *), model_putchar(int), model_fseek(void *, long, int);
char *model_fgets(char *, int, void *), *model_gets(char *);
size_t model_fread(void *, size_t, size_t, void *), model_fwrite(const void *, size_t, size_t, void *);
ssize_t model_getline(char **, size_t *, void *);
extern void *model_stdin, *model_stdout;

static char format[64], ours[200], theirs[200], text[24];

/* A directive with random flags, width and precision. */
static void make_format(const char *size, const char *conversions)
{
    static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-0", "+0", " #"};
    char width[16] = "", precision[16] = "";
    if (random_below(2) == 0) {
        snprintf(width, sizeof width, "%u", 1 + random_below(30));
    }
    if (random_below(2) == 0) {
        snprintf(precision, sizeof precision, ".%u", random_below(25));
    }
    char conversion = conversions[random_below((unsigned)strlen(conversions))];
    snprintf(format, sizeof format, "a%%%s%s%s%s%cz", flags[random_below(9)], width, precision, size, conversion);
}

static void prepare(void)
{
    shim_reset();
    memset(ours, 'x', sizeof ours);
    memset(theirs, 'x', sizeof theirs);
    shim_object(ours, sizeof ours);
    shim_object(format, sizeof format);
    shim_object(text, sizeof text);
    shim_object(model_stdin, 1);
    shim_object(model_stdout, 1);
}

/* The same text, the same length, with room and without. */
#define PRINT(...)                                                   \
    do {                                                             \
        size_t room = random_below(3) == 0 ? random_below(20) : 200; \
        volatile int length = 0;                                     \
        prepare();                                                   \
        int expected = snprintf(theirs, room, format, __VA_ARGS__);  \
        GOOD(length = model_snprintf(ours, room, format, __VA_ARGS__)); \
        SAME(length == expected && memcmp(ours, theirs, sizeof ours) == 0); \
    } while (0)

/* What is any comes from the tape: a field of the host's length and bytes, between the two letters. */
#define PRINT_ANY(...)                                                   \
    do {                                                                 \
        volatile int length = 0;                                         \
        int expected = snprintf(theirs, sizeof theirs, format, __VA_ARGS__); \
        if (expected < (int)sizeof theirs) {                             \
            prepare();                                                   \
            snprintf(theirs, sizeof theirs, format, __VA_ARGS__);        \
            tape_size((size_t)expected - 2);                             \
            tape_bytes(theirs + 1, (size_t)expected - 2);                \
            length = -1;                                                 \
            enum ending how = RUN(length = model_sprintf(ours, format, __VA_ARGS__)); \
            SAME(how == RETURNED && length == expected && memcmp(ours, theirs, sizeof ours) == 0); \
        }                                                                \
    } while (0)

static long any_integer(void)
{
    static const long frequent[] = {0, 1, -1, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 255};
    return random_below(2) == 0 ? frequent[random_below(8)] : (long)random_bits() >> random_below(64);
}

static double any_double(void)
{
    static const double frequent[] = {0, -0.0, 1, 9.999999, 1e9, -9999999999.5, 1e10, 1e100, -1.7e308, 5e-324};
    switch (random_below(4)) {
    case 0:
        return frequent[random_below(10)];
    case 1:
        return random_below(2) == 0 ? (double)INFINITY : (double)NAN;
    default:
        return ldexp((double)(long)random_bits(), (int)random_below(200) - 130);
    }
}

static void printing(void)
{
    long value = any_integer();
    make_format("", "diuoxX");
    PRINT((int)value);
    make_format("h", "diuoxX");
    PRINT((int)value);
    make_format("hh", "diuoxX");
    PRINT((int)value);
    make_format("l", "diuoxX");
    PRINT(value);
    make_format("ll", "diuoxX");
    PRINT((long long)value);
    make_format("z", "diuoxX");
    PRINT((size_t)value);
    make_format("", "c");
    PRINT((int)value);
    snprintf(text, sizeof text, "%lu", random_bits());
    make_format("", "s");
    PRINT(text);
    strcpy(format, "%*d|%-*.*s|%.*i%%");
    int width = (int)random_below(40) - 20, second = (int)random_below(20), precision = (int)random_below(10) - 1;
    PRINT(width, (int)value, second, precision, text, 3, (int)value);
    double number = any_double();
    make_format("", "eEfFgGaA");
    PRINT_ANY(number);
    make_format("L", "eEfFgGaA");
    PRINT_ANY((long double)number);
    strcpy(format, "a%pz");
    PRINT_ANY((void *)value);
    int count = 0, host_count = 0;
    prepare();
    shim_object(&count, sizeof count);
    strcpy(format, "%s%n");
    GOOD(model_snprintf(ours, sizeof ours, format, text, &count));
    snprintf(theirs, sizeof theirs, format, text, &host_count);
    SAME(count == host_count && strcmp(ours, theirs) == 0);
}

void test_printf(void)
{
    for (int round = 0; round < 10000; round++) {
        printing();
    }
    char small[4], open[3] = {'a', 'b', 'c'};
    char *volatile place = NULL;
    volatile int length = 0;
    prepare();
    shim_object(small, sizeof small);
    shim_object(open, sizeof open);
    strcpy(format, "%d");
    GOOD(model_sprintf(small, format, 999));
    GOOD(length = model_snprintf(small, sizeof small, format, 123456));
    SAME(length == 6 && strcmp(small, "123") == 0);
    GOOD(length = model_snprintf(NULL, 0, format, 123456));
    SAME(length == 6);
    BAD("out-of-bounds", model_sprintf(small, format, 1000));
    BAD("null-deref", model_sprintf(NULL, format, 1000));
    BAD("null-deref", model_fprintf(NULL, format, 1));
    strcpy(format, "%s");
    BAD("string-not-terminated", model_printf(format, open));
    BAD("null-deref", model_printf(format, NULL));
    BAD("overlap", (strcpy(ours, "text"), model_sprintf(ours, format, ours)));
    strcpy(format, "%.3s");
    GOOD(length = model_printf(format, open));
    SAME(length == 3);
    strcpy(format, "%y");
    BAD("bad-argument", model_printf(format, 1));
    strcpy(format, "100%");
    BAD("bad-argument", model_printf(format));
    memset(format, 'f', sizeof format);
    BAD("string-not-terminated", model_printf(format));
    strcpy(format, "%2d");
    shim_object((void *)&place, sizeof place);
    GOOD(length = model_asprintf((char **)&place, format, 7));
    SAME(length == 2 && place != NULL && place[2] == 0);
}

/* Matches until the directive of that number; the host's values go on the tape. */
void test_scanf(void)
{
    static const char pattern[] = "%d %5s%lf %c%n";
    for (int round = 0; round < 3000; round++) {
        struct {
            int number;
            char word[6], letter;
            double fraction;
            int used;
        } host, model;
        memset(&host, 0, sizeof host);
        memset(&model, 0, sizeof model);
        snprintf(text, sizeof text, "%d w%u %u.5 c", (int)random_bits(), random_below(1000), random_below(10));
        text[random_below(sizeof text)] = 0;
        int stored = sscanf(text, pattern, &host.number, host.word, &host.fraction, &host.letter, &host.used);
        prepare();
        shim_object(pattern, sizeof pattern);
        shim_object(&model, sizeof model);
        /* The model decides before every byte of the format: bytes of directives are read in one go. */
        static const int steps[] = {0, 2, 3, 5, 7};
        for (int i = 0; stored < 4 && i < (stored < 0 ? 0 : steps[stored]); i++) {
            tape_bool(0);
        }
        tape_bool(stored < 4);
        tape_bool(stored < 0);
        if (stored == 4) {
            tape_clear();
        }
        tape_bytes(&host.number, stored > 0 ? sizeof host.number : 0);
        if (stored > 1) {
            tape_size(strlen(host.word));
            tape_bytes(host.word, strlen(host.word));
        }
        tape_bytes(&host.fraction, stored > 2 ? sizeof host.fraction : 0);
        tape_bytes(&host.letter, stored > 3);
        tape_bytes(&host.used, stored > 3 ? sizeof host.used : 0);
        volatile int found = -2;
        enum ending how =
            RUN(found = model_sscanf(text, pattern, &model.number, model.word, &model.fraction, &model.letter, &model.used));
        SAME(how == RETURNED && found == stored && memcmp(&host, &model, sizeof host) == 0);
    }
    char word[4];
    int number = 0;
    prepare();
    shim_object(word, sizeof word);
    shim_object(&number, sizeof number);
    strcpy(text, "abcdefgh");
    strcpy(format, "%3s");
    GOOD(model___isoc99_sscanf(text, format, word));
    strcpy(format, "%s");
    tape_size(8);
    BAD("out-of-bounds", model_sscanf(text, format, word));
    tape_size(4);
    BAD("out-of-bounds", model_scanf(format, word));
    strcpy(format, "%[^]x]%d");
    tape_size(2);
    GOOD(model_sscanf(text, format, word, &number));
    strcpy(format, "%d");
    BAD("null-deref", model_sscanf(text, format, NULL));
    BAD("out-of-bounds", model_sscanf(text, format, word + 1));
    strcpy(format, "%[a");
    BAD("bad-argument", model_sscanf(text, format, word));
    strcpy(format, "%k");
    BAD("bad-argument", model_sscanf(text, format, word));
}

/* Input from a file of the host's, whose bytes go on the tape. */
static void input(FILE *file, const char *content, size_t size)
{
    char *volatile line = NULL;
    volatile size_t count = 0;
    int limit = 1 + (int)random_below(30);
    prepare();
    rewind(file);
    char *expected = fgets(theirs, limit, file);
    tape_bool(expected == NULL);
    if (expected == NULL) {
        tape_bool(1); /* at the end of the file, before anything came */
    } else {
        tape_size(strlen(theirs));
        tape_bytes(theirs, strlen(theirs));
    }
    GOOD(line = model_fgets(ours, limit, model_stdin));
    SAME((line == NULL) == (expected == NULL) && memcmp(ours, theirs, sizeof ours) == 0);
    prepare();
    rewind(file);
    size_t elements = fread(theirs, 3, 20, file);
    tape_size(size < 60 ? size : 60);
    tape_bytes(content, size < 60 ? size : 60);
    GOOD(count = model_fread(ours, 3, 20, model_stdin));
    SAME(count == elements && memcmp(ours, theirs, sizeof ours) == 0);
}

static void planted(void)
{
    void *volatile stream = NULL;
    char *line = NULL;
    size_t size = 0;
    static const char name[] = "name", mode[] = "r", wrong[] = "q";
    prepare();
    shim_object(name, sizeof name);
    shim_object(mode, sizeof mode);
    shim_object(wrong, sizeof wrong);
    shim_object(&line, sizeof line);
    shim_object(&size, sizeof size);
    BAD("bad-argument", model_fopen(name, wrong));
    BAD("null-deref", model_fgetc(NULL));
    BAD("null-deref", model_fclose(NULL));
    tape_size(sizeof ours); /* only a line that is as long fails */
    BAD("out-of-bounds", model_fgets(ours, sizeof ours + 1, model_stdin));
    BAD("bad-argument", model_fgets(ours, 0, model_stdin));
    BAD("out-of-bounds", model_fread(ours, 3, 100, model_stdin));
    BAD("out-of-bounds", model_fwrite(ours, (size_t)-1, 3, model_stdout));
    BAD("bad-argument", model_fseek(model_stdin, 0, 3));
    tape_size(sizeof ours);
    BAD("out-of-bounds", model_gets(ours));
    memset(text, 'x', sizeof text);
    BAD("string-not-terminated", model_puts(text));
    BAD("string-not-terminated", model_fputs(text, model_stdout));
    tape_bool(1);
    tape_int(2);
    GOOD(stream = model_fopen(name, mode));
    SAME(stream == NULL);
    GOOD(stream = model_fopen(name, mode));
    SAME(stream != NULL);
    GOOD(model_fflush(stream));
    GOOD(model_fclose(stream));
    BAD("use-after-free", model_fclose(stream));
    BAD("use-after-free", model_fgetc(stream));
    tape_size(16); /* the first room for it */
    tape_size(5);
    tape_bytes("abcd\n", 5);
    volatile ssize_t length = 0;
    GOOD(length = model_getline(&line, &size, model_stdin));
    SAME(length == 5 && strcmp(line, "abcd\n") == 0 && size >= 6);
    volatile int byte = 0;
    GOOD(byte = model_putchar(0x141));
    SAME(byte == 0x41);
    GOOD(byte = model_fgetc(model_stdin));
    SAME(byte >= -1 && byte <= 255);
}

void test_stdio(void)
{
    for (int round = 0; round < 2000; round++) {
        char content[100];
        size_t size = random_below(sizeof content);
        for (size_t i = 0; i < size; i++) {
            content[i] = random_below(10) == 0 ? '\n' : (char)('a' + random_below(26));
        }
        FILE *file = fmemopen(content, size > 0 ? size : 1, "r");
        if (file != NULL && size > 0) {
            input(file, content, size);
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    planted();
}
