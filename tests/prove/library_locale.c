// SPDX-License-Identifier: MIT OR Apache-2.0
// Nothing of the C locale is proved once another may have been chosen.
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int table[12];

static void c_locale(void)
{
    char b[8];
    sprintf(b, "%'d", 1234567); // proved: out-of-bounds
    table[toupper('i') == 'I' ? 0 : 12] = 1; // proved: out-of-bounds
    table[strcoll("a", "b") < 0 ? 0 : 12] = 1; // proved: out-of-bounds
}

static void other_locale(void)
{
    char b[8], f[10];
    sprintf(b, "%'d", 1234567); // open: out-of-bounds
    sprintf(f, "%.1f", 1.5);    // open: out-of-bounds
    sprintf(b, "%d", 1234567);  // given: out-of-bounds
    table[toupper('i') == 'I' ? 0 : 12] = 1; // open: out-of-bounds
    table[isalpha('a') ? 0 : 12] = 1;        // open: out-of-bounds
    table[(isspace)(160) ? 12 : 0] = 1;      // open: out-of-bounds
    table[strcoll("a", "b") < 0 ? 0 : 12] = 1; // open: out-of-bounds
    table[(isdigit)('5') ? 0 : 12] = 1; // given: out-of-bounds
}

int main(void)
{
    c_locale();
    setlocale(LC_NUMERIC, "C");
    c_locale();
    setlocale(LC_ALL, "");
    other_locale();
    return 0;
}
