// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// Every conversion, flag, width, precision and length of printf.
#define _GNU_SOURCE
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void integers(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%08.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", -42, -42, -42, -42, -42, -42, -42);
    printf("[%u] [%o] [%x] [%X] [%#o] [%#x] [%#X] [%#010x] [%#.5o]\n", 3054u, 3054u, 3054u, 3054u, 3054u, 3054u, 3054u, 3054u, 3054u);
    printf("[%.0d] [%5.0d] [%#.0o] [%#x] [%#o] [%.0u] [%.0x]\n", 0, 0, 0u, 0u, 0u, 0u, 0u);
    printf("%hhd %hhu %hd %hu\n", (signed char)-1, (unsigned char)255, (short)-32768, (unsigned short)65535);
    printf("%hhd %hd\n", 511, 70000);
    printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("%zd %zu %td %jd %ju\n", (ssize_t)-5, sizeof(int), (ptrdiff_t)-7, INTMAX_MIN, UINTMAX_MAX);
    printf("%" PRId64 " %" PRIx32 " %" PRIu8 " %" PRIo16 "\n", INT64_MIN, UINT32_MAX, UINT8_MAX, UINT16_MAX);
    printf("%*d|%-*d|%.*d|%*.*d|%*d\n", 6, 1, 6, 2, 4, 3, 8, 4, 5, -6, 7);
    printf("%.*d|%.*s\n", -1, 9, -1, "all");
    printf("%2$s-%1$d-%2$s %3$*4$d\n", 7, "x", 5, 6);
    printf("%'d %%  %5c|%-5c|%c\n", 1234567, 'a', 'b', 'c');
    printf("%i %+i % 05d %+05d\n", 5, 6, 7, 8);
    printf("%lx %lX %lo\n", 0xdeadbeefcafeul, 0xdeadbeefcafeul, 0xdeadbeefcafeul);
}

static void strings(void)
{
    char unterminated[3] = {'a', 'b', 'c'};
    printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s] [%-10.2s] [%.0s]\n", "hello", "hello", "hello", "hello", "hello", "hello", "hello");
    printf("[%.3s] [%5.1s]\n", unterminated, unterminated);
    printf("[%s] [%5s]\n", "", "");
    printf("%p [%20p] [%-20p]\n", (void *)0, (void *)0, (void *)0);
    printf("[%ls] [%lc] [%5ls] [%.2ls]\n", L"wide", L'w', L"ab", L"abcdef");
    errno = ENOENT;
    printf("%m\n");
    int n1 = -1;
    long n2 = -1;
    signed char n3 = -1;
    printf("abc%ndef%lnghi%hhn\n", &n1, &n2, &n3);
    printf("%d %ld %d\n", n1, n2, n3);
}

static void floats(void)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.0, 0.1, 1.5, 2.5, 3.14159265358979, 1e10, 1e15, 1e16, 123456789.0, 1e100, 1e-5,
                                    1e-4, 9.9999e-5, 0.5, 9.5, 1e300, 5e-324, DBL_MAX, DBL_MIN, 1e21, 123456.0, 1234567.0,
                                    0.00001234, 100000.0, 1000000.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i];
        printf("%f %e %g %a\n", x, x, x, x);
        printf("%.0f %.0e %.0g %.0a %#.0f %#.0e %#g\n", x, x, x, x, x, x, x);
        printf("%.3f %.3e %.3g %.3a\n", x, x, x, x);
        printf("%20.10f|%-25.15e|%+.17g|% .20g\n", x, x, x, x);
        printf("%020.3f|%+020e|%G %E %A\n", x, x, x, x, x);
    }
    printf("%f %F %e %E %g %G %a %A\n", INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY);
    printf("%f %5F [%010f] [%-10f] [%+f]\n", (double)NAN, (double)NAN, INFINITY, INFINITY, INFINITY);
    printf("%.50f\n%.60g\n", 0.1, 0.1);
    printf("%.40f\n", 1e22);
    printf("%Lf %Le %Lg %La\n", 1.1L, 1.1L, 1.1L, 1.1L);
    printf("%Lf %.20Lg %La %La\n", LDBL_MIN, LDBL_MAX, LDBL_MAX, 0.0L);
    printf("%.3La %.0La %.15Lf\n", 3.3L, 3.3L, 1.0L / 3);
    float f = 0.1f;
    printf("%f %.10f %g %a\n", f, f, f, f);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%.1f %.1f %.2f %.2f\n", 0.25, 0.35, 1.005, 2.675);
}

static int through_list(char *buffer, size_t size, const char *format, ...)
{
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int needed = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    int written = vsnprintf(buffer, size, format, list);
    va_end(list);
    return needed == written ? written : -1;
}

int main(void)
{
    char buffer[64];
    integers();
    strings();
    floats();
    printf("%d", snprintf(buffer, 5, "%s %d", "truncated", 12));
    printf(" [%s]\n", buffer);
    printf("%d [%s]\n", sprintf(buffer, "%c%c%c", 'x', 'y', 'z'), buffer);
    printf("%d [%s]\n", through_list(buffer, sizeof buffer, "%d %s %.2f %ld %c %Lg %hhu", 1, "two", 3.0, 4L, '5', 6.5L, 7), buffer);
    printf("%d [%s]\n", through_list(buffer, 8, "%d%d%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7, 8, 9), buffer);
    printf("%d [%s]\n", through_list(buffer, sizeof buffer, "%f%f%f%f%f%f%f%f%f%d", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10), buffer);
    char *made = NULL;
    if (asprintf(&made, "%s-%d", "made", 1) == 6)
        puts(made);
    free(made);
    fprintf(stdout, "%s\n", "to a stream");
    fflush(stdout);
    dprintf(1, "to a descriptor %d\n", 1);
    fputs("fputs\n", stdout);
    putchar('!');
    putc('\n', stdout);
    return 0;
}
