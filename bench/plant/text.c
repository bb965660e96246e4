// SPDX-License-Identifier: MIT OR Apache-2.0
// String work: splitting, reversing, Roman numerals, run-length coding.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reverse(char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) {
        char t = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = t;
    }
}

static void roman(int value, char *out, size_t room)
{
    static const int values[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    static const char *const names[] = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    size_t used = 0;
    for (int i = 0; i < 13; i++)
        while (value >= values[i]) {
            size_t length = strlen(names[i]);
            if (used + length + 1 > room)
                return;
            memcpy(out + used, names[i], length);
            used += length;
            value -= values[i];
        }
    out[used] = '\0';
}

static char *encode(const char *s)
{
    char *out = malloc(strlen(s) * 2 + 1);
    int used = 0;
    if (out == NULL)
        exit(1);
    for (int i = 0; s[i] != '\0';) {
        int run = 1;
        while (s[i + run] == s[i] && run < 9)
            run++;
        out[used++] = s[i];
        out[used++] = (char)('0' + run);
        i += run;
    }
    out[used] = '\0';
    return out;
}

static int split(char *line, char **parts, int most)
{
    int count = 0;
    char *at = line;
    while (*at != '\0' && count < most) {
        while (*at == ' ')
            at++;
        if (*at == '\0')
            break;
        parts[count++] = at;
        while (*at != ' ' && *at != '\0')
            at++;
        if (*at == ' ')
            *at++ = '\0';
    }
    return count;
}

int main(void)
{
    char line[] = "  never odd or even  aaaabbbccd zzzzzzzzzzzz";
    char *parts[8];
    char number[20];
    int count = split(line, parts, 8);
    for (int i = 0; i < count; i++) {
        char *code = encode(parts[i]);
        reverse(parts[i]);
        parts[i][0] = (char)toupper((unsigned char)parts[i][0]);
        printf("%s %s %zu\n", parts[i], code, strlen(code));
        free(code);
    }
    for (int year = 1; year < 3000; year += 371) {
        roman(year, number, sizeof number);
        printf("%d %s\n", year, number);
    }
    return 0;
}
