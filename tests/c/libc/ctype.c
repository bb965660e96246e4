// SPDX-License-Identifier: MIT OR Apache-2.0
// run: same as cc
// <ctype.h>: every character, by macro and by function.
#include <ctype.h>
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    int (*volatile functions[])(int) = {isalpha, isdigit, isalnum, isspace, isupper, islower, isxdigit, isprint, isgraph, ispunct, iscntrl, isblank};
    for (int c = -1; c < 256; c++) {
        printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d", c, isalpha(c) != 0, isdigit(c) != 0, isalnum(c) != 0, isspace(c) != 0, isupper(c) != 0,
               islower(c) != 0, isxdigit(c) != 0, isprint(c) != 0, isgraph(c) != 0, ispunct(c) != 0, iscntrl(c) != 0, isblank(c) != 0);
        for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
            printf("%d", functions[i](c) != 0);
        printf(" %d %d\n", tolower(c), toupper(c));
    }
    printf("%d %d %d\n", isascii(200), toascii(200), isascii('a'));
    printf("%d %d %d\n", iswalpha(L'x') != 0, iswdigit(L'x') != 0, (int)towupper(L'x'));
    printf("%zu %d\n", wcslen(L"wide"), wcscmp(L"a", L"b") < 0);
    return 0;
}
