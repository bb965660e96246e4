// What a `va_list` or `...` stands for depends on other arguments: nobody makes them up, so nothing is said of them.
// status: 0
#include <stdarg.h>
#include <stdio.h>

struct report {
    va_list *rest;
    int n;
};

int print_list(const char *format, va_list rest)
{
    char text[100];
    if (!format)
        return 0;
    return vsnprintf(text, sizeof text, format, rest);
}

int second(int n, va_list rest)
{
    return n ? va_arg(rest, int) : 0;
}

int print_some(const char *format, ...)
{
    va_list rest;
    int n;
    if (!format)
        return 0;
    va_start(rest, format);
    n = print_list(format, rest);
    va_end(rest);
    return n;
}

int behind(struct report *r)
{
    return r && r->rest && r->n == 1 ? vprintf("%d", *r->rest) : 0;
}

static int only_called(int *p)
{
    return *p;
}

int caller(void)
{
    int x = 1;
    return only_called(&x);
}
