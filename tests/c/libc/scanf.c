// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// The scanf family on texts that fit and texts that do not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integers(const char *text)
{
    int a = -1, b = -1, n = -1;
    unsigned u = 77;
    long l = -1;
    int r = sscanf(text, "%d%i%n", &a, &b, &n);
    printf("<%s> %%d%%i: %d %d %d %d\n", text, r, a, b, n);
    a = b = n = -1;
    r = sscanf(text, "%x %o%n", &u, (unsigned *)&b, &n);
    printf("   %%x %%o: %d %u %d %d\n", r, u, b, n);
    r = sscanf(text, "%3d%2d%ld", &a, &b, &l);
    printf("   widths: %d %d %d %ld\n", r, a, b, l);
}

static void floats(const char *text)
{
    float f = -1;
    double d = -1;
    long double l = -1;
    int n = -1;
    int r = sscanf(text, "%f%n", &f, &n);
    printf("<%s> %d %g %d", text, r, f, n);
    n = -1;
    r = sscanf(text, "%lf %n", &d, &n);
    printf(" | %d %.17g %d", r, d, n);
    n = -1;
    r = sscanf(text, "%4Lf%n", &l, &n);
    printf(" | %d %Lg %d\n", r, l, n);
}

int main(void)
{
    static const char *const ints[] = {"12 34", "0x1f 077", "-5 -0x10", "+7 08", "abc", "", "   ", "12abc", "0x", "0xg", "99999999999 1",
                                       "-99999999999999999999 2", "123456789", "1-2", "- 5", "0b11 3", "12\n\t34"};
    static const char *const reals[] = {"1.5", "-2.5e3", "1e", "1e+", ".5", "5.", ".", "nan", "inf", "infinity", "infinit", "-inf",
                                        "0x1.8p1", "0x", "1e400", "1e-400", "12345", "abc", "", "1.2.3", "nanx", "+.e1"};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        integers(ints[i]);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        floats(reals[i]);

    char word[20] = "", rest[40] = "", c = '?', pair[2] = {'?', '?'};
    int r = sscanf("  hello world, 42", "%s%c%[a-z]", word, &c, rest);
    printf("%d [%s] [%c] [%s]\n", r, word, c, rest);
    r = sscanf("hello", "%3s%2c", word, pair);
    printf("%d [%s] [%c%c]\n", r, word, pair[0], pair[1]);
    r = sscanf("abc]def", "%[]a-c]%s", word, rest);
    printf("%d [%s] [%s]\n", r, word, rest);
    r = sscanf("abc-def", "%[^-]-%[^\n]", word, rest);
    printf("%d [%s] [%s]\n", r, word, rest);
    r = sscanf("xyz", "%[a-c]", word);
    printf("%d\n", r);
    r = sscanf("", "%s", word);
    printf("%d\n", r);
    int h, m, s;
    r = sscanf("10:20:30", "%*d:%d:%*d%n", &h, &m);
    printf("%d %d %d\n", r, h, m);
    r = sscanf("10:20:30", "%d:%d:%d", &h, &m, &s);
    printf("%d %d %d %d\n", r, h, m, s);
    r = sscanf("50%", "%d%%%n", &h, &m);
    printf("%d %d %d\n", r, h, m);
    r = sscanf("50 %x", "%d %%%c", &h, &c);
    printf("%d %d %c\n", r, h, c);
    short sh = 0;
    signed char sc = 0;
    long long ll = 0;
    r = sscanf("70000 300 9223372036854775807", "%hd %hhd %lld", &sh, &sc, &ll);
    printf("%d %d %d %lld\n", r, sh, sc, ll);
    size_t z = 0;
    r = sscanf("42", "%zu", &z);
    printf("%d %zu\n", r, z);
    char *made = NULL;
    r = sscanf("allocated text", "%ms", &made);
    printf("%d %s\n", r, made);
    free(made);
    r = sscanf("3 4", "%2$d %1$d", &h, &m);
    printf("%d %d %d\n", r, h, m);
    void *p = &r;
    r = sscanf("(nil)", "%p", &p);
    printf("%d %d\n", r, p == NULL);

    FILE *f = tmpfile();
    fputs("12 words and\n3.5 numbers\nend", f);
    rewind(f);
    double d;
    r = fscanf(f, "%d %s %*s %lf", &h, word, &d);
    printf("%d %d %s %g\n", r, h, word, d);
    r = fscanf(f, "%d", &h);
    printf("%d %c\n", r, fgetc(f));
    while ((r = fscanf(f, "%19s", word)) == 1)
        printf("[%s]", word);
    printf(" %d %d\n", r, feof(f) != 0);
    fclose(f);
    return 0;
}
