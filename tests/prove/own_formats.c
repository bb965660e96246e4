// SPDX-License-Identifier: MIT OR Apache-2.0
// A printf of the program's own reads its formats as it likes.
#include <stdarg.h>

int printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    va_end(list);
    return format[0]; // proved: out-of-bounds
}

int main(void)
{
    return printf("%d %d\n", 1) == 0;
}
