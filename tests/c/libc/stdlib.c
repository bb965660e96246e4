// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <stdlib.h>: numbers in text, sorting, allocation, pseudo-random numbers, the environment, the end.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers(const char *text, int base)
{
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    printf("strtol(\"%s\", %d) = %ld, %ld used, errno %d; ", text, base, l, (long)(end - text), errno);
    errno = 0;
    unsigned long u = strtoul(text, &end, base);
    printf("%lu, %ld, %d; ", u, (long)(end - text), errno);
    errno = 0;
    double d = strtod(text, &end);
    printf("%.17g, %ld, %d; ", d, (long)(end - text), errno);
    errno = 0;
    float f = strtof(text, &end);
    printf("%.9g, %d; ", f, errno);
    long double ld = strtold(text, &end);
    printf("%.21Lg\n", ld);
}

static int calls;

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    calls++;
    return (x > y) - (x < y);
}

struct record {
    char text[40];
    int key;
};

static int by_key(const void *a, const void *b)
{
    calls++;
    // The order of comparisons shows.
    printf("%c%c ", ((const struct record *)a)->text[0], ((const struct record *)b)->text[0]);
    return ((const struct record *)a)->key - ((const struct record *)b)->key;
}

static int by_context(const void *a, const void *b, void *context)
{
    return *(int *)context * by_value(a, b);
}

static void sorting(void)
{
    int values[100];
    unsigned x = 12345;
    for (int i = 0; i < 100; i++)
        values[i] = (int)((x = x * 1103515245u + 12345u) >> 16) % 50;
    qsort(values, 100, sizeof *values, by_value);
    for (int i = 0; i < 100; i++)
        printf("%d ", values[i]);
    printf("\n%d comparisons\n", calls);
    int wanted = 30, *found = bsearch(&wanted, values, 100, sizeof *values, by_value);
    printf("%ld\n", found ? (long)(found - values) : -1L);
    wanted = 1000;
    printf("%d\n", bsearch(&wanted, values, 100, sizeof *values, by_value) == NULL);
    struct record records[] = {{"c", 3}, {"a", 1}, {"B", 2}, {"b", 2}, {"A", 1}, {"d", 0}, {"e", 3}};
    qsort(records, 7, sizeof *records, by_key);
    puts("");
    for (int i = 0; i < 7; i++)
        printf("%s%d ", records[i].text, records[i].key);
    puts("");
    int down = -1;
    qsort_r(values, 10, sizeof *values, by_context, &down);
    printf("%d %d\n", values[0], values[9]);



}

static void random_numbers(void)
{
    printf("%d %d %d\n", rand(), rand(), rand());
    srand(42);
    int first = rand(), second = rand();
    printf("%d %d\n", first, second);
    srand(0);
    printf("%d\n", rand());
    srandom(7);
    printf("%ld\n", random());
    unsigned seed = 99;
    int r1 = rand_r(&seed), r2 = rand_r(&seed);
    printf("%d %d %u\n", r1, r2, seed);
    srand48(5);
    double d = drand48();
    long l = lrand48(), m = mrand48();
    printf("%.17g %ld %ld\n", d, l, m);
    unsigned short state[3] = {1, 2, 3};
    d = erand48(state);
    l = nrand48(state);
    printf("%.17g %ld %hu %hu %hu\n", d, l, state[0], state[1], state[2]);
}

static void allocation(void)
{
    int *p = calloc(10, sizeof *p);
    for (int i = 0; i < 10; i++)
        p[i] += i;
    p = realloc(p, 20 * sizeof *p);
    printf("%d %d\n", p[0], p[9]);
    p = reallocarray(p, 5, sizeof *p);
    printf("%d\n", p[4]);
    free(p);
    free(NULL);
    char *aligned = aligned_alloc(64, 128);
    printf("%d\n", (int)((uintptr_t)aligned % 64));
    free(aligned);
    void *q = NULL;
    printf("%d ", posix_memalign(&q, 256, 10));
    printf("%d\n", (int)((uintptr_t)q % 256));
    free(q);
    volatile size_t huge = SIZE_MAX / 2 + 1;
    errno = 0;
    printf("%d ", malloc(huge) == NULL);
    printf("%d\n", errno);
    printf("%d\n", calloc(huge, 2) == NULL);
}

static void environment(void)
{
    printf("%d\n", getenv("CLEW_SURELY_NOT_SET") == NULL);
    printf("%d ", setenv("CLEW_A", "one", 1));
    printf("%s\n", getenv("CLEW_A"));
    setenv("CLEW_A", "two", 0);
    printf("%s\n", getenv("CLEW_A"));
    setenv("CLEW_A", "three", 1);
    printf("%s\n", getenv("CLEW_A"));
    unsetenv("CLEW_A");
    printf("%d\n", getenv("CLEW_A") == NULL);
    static char variable[] = "CLEW_B=put";
    putenv(variable);
    printf("%s\n", getenv("CLEW_B"));
    errno = 0;
    printf("%d ", setenv("", "x", 1));
    printf("%d\n", errno == EINVAL);
}

static void last(void)
{
    puts("last");
}

static void first(void)
{
    puts("first");
}

int main(void)
{
    static const char *const texts[] = {"0", "42", "-17", "  +99xyz", "0x1F", "0777", "", "abc", "9223372036854775807", "9223372036854775808",
                                        "-9223372036854775809", "18446744073709551616", "1e10", "1.7976931348623159e308", "4.9e-324",
                                        "1e-400", "inf", "-nan", "0x1.fp3", "3.14159abc", ".5.5", "1e", "z", "101", "infinity!", "nan(123)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        numbers(texts[i], 10);
        numbers(texts[i], 0);
        numbers(texts[i], 16);
        numbers(texts[i], 36);
    }
    printf("%d %ld %lld %g\n", atoi("12 monkeys"), atol("-7"), atoll("9999999999"), atof("2.5e2x"));
    printf("%d %ld %lld\n", abs(-5), labs(-5L), llabs(-5LL));
    div_t d = div(-17, 5);
    ldiv_t ld = ldiv(17, -5);
    lldiv_t lld = lldiv(-17, -5);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, ld.quot, ld.rem, lld.quot, lld.rem);
    sorting();
    random_numbers();
    allocation();
    environment();
    printf("%zu\n", (size_t)MB_CUR_MAX);
    wchar_t wide[8];
    char narrow[8];
    printf("%zu ", mbstowcs(wide, "abc", 8));
    printf("%d\n", (int)wide[1]);
    printf("%zu ", wcstombs(narrow, L"xyz", 8));
    printf("%s\n", narrow);
    printf("%d %d\n", mblen("a", 1), mbtowc(wide, "q", 1));
    atexit(last);
    atexit(first);
    exit(3);
}
