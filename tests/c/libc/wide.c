// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <wchar.h> in the C locale.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    wchar_t buffer[32], *end;
    wprintf(L"%d %ls %s %c %5.2f|%-6ls|\n", 42, L"wide", "narrow", 'c', 3.14159, L"ab");
    int n = swprintf(buffer, 32, L"%05d-%ls", 7, L"x");
    wprintf(L"%d %ls\n", n, buffer);
    wprintf(L"%d\n", swprintf(buffer, 3, L"too long"));
    fputws(L"fputws\n", stdout);
    putwchar(L'!');
    putwchar(L'\n');
    wcsncpy(buffer, L"abc", 6);
    wprintf(L"%ls %d %zu\n", buffer, (int)buffer[5], wcslen(buffer));
    wcscat(buffer, L"def");
    wprintf(L"%ls %d %d\n", buffer, (int)(wcsstr(buffer, L"cd") - buffer), (int)(wcschr(buffer, L'e') - buffer));
    wchar_t *copy = wcsdup(buffer);
    wprintf(L"%d %d\n", wcscmp(copy, buffer), wmemcmp(copy, L"abd", 3) < 0);
    free(copy);
    long l = wcstol(L" -0x1fz", &end, 0);
    wprintf(L"%ld %lc\n", l, *end);
    wprintf(L"%g %lu\n", wcstod(L"2.5e1", NULL), wcstoul(L"77", NULL, 8));
    wprintf(L"%d %d %lc\n", iswalpha(L'a') != 0, iswdigit(L'a') != 0, towupper(L'q'));
    return 0;
}
