/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The intrinsics of the library models, natively: memory is a table of registered objects, a violated requirement jumps
 * back to the test, and what is any value is chosen by a generator.
 */
#include "shim.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OBJECTS 64

static struct {
    char *start;
    size_t size;
    int heap;
} objects[MOST_OBJECTS];
static int object_count;

jmp_buf on_violation;
const char *violated;
int nondet_int_value;

void shim_reset(void)
{
    for (int i = 0; i < object_count; i++)
        if (objects[i].heap)
            free(objects[i].start);
    object_count = 0;
    violated = NULL;
    nondet_int_value = 0;
}

void shim_object(void *start, size_t size)
{
    if (object_count == MOST_OBJECTS)
        abort();
    objects[object_count].start = start;
    objects[object_count].size = size;
    objects[object_count++].heap = 0;
}

static int find(const void *p)
{
    for (int i = 0; i < object_count; i++) {
        uintptr_t offset = (uintptr_t)p - (uintptr_t)objects[i].start;
        if (offset <= objects[i].size)
            return i;
    }
    return -1;
}

void __clew_require(const char *check, int condition)
{
    if (condition)
        return;
    violated = check;
    longjmp(on_violation, 1);
}

void __clew_assume(int condition)
{
    if (!condition)
        abort();
}

int __clew_not_null(const void *p)
{
    return p != NULL;
}

int __clew_live(const void *p)
{
    return find(p) >= 0;
}

int __clew_readable(const void *p, size_t n)
{
    int i = find(p);
    return i >= 0 && n <= objects[i].size - (size_t)((const char *)p - objects[i].start);
}

int __clew_writable(const void *p, size_t n)
{
    return __clew_readable(p, n);
}

int __clew_nul_within(const char *p)
{
    int i = find(p);
    return i >= 0 && memchr(p, 0, objects[i].size - (size_t)(p - objects[i].start)) != NULL;
}

int __clew_disjoint(const void *p, size_t n, const void *q, size_t m)
{
    uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
    return n == 0 || m == 0 || a + n <= b || b + m <= a;
}

int __clew_alloc_base(const void *p)
{
    int i = find(p);
    return p == NULL || (i >= 0 && objects[i].heap && objects[i].start == p);
}

void __clew_copy(void *to, const void *from, size_t n)
{
    memmove(to, from, n);
}

void __clew_fill(void *to, int byte, size_t n)
{
    memset(to, byte, n);
}

void __clew_havoc(void *to, size_t n)
{
    memset(to, 0x5a, n);
}

size_t __clew_nul_position(const char *p)
{
    return strlen(p);
}

size_t __clew_object_size(const void *p)
{
    int i = find(p);
    return i < 0 ? 0 : objects[i].size;
}

void *__clew_allocate(size_t n)
{
    if (object_count == MOST_OBJECTS)
        abort();
    objects[object_count].start = malloc(n + 1);
    objects[object_count].size = n;
    objects[object_count].heap = 1;
    return objects[object_count++].start;
}

void __clew_release(void *p)
{
    int i = find(p);
    free(p);
    objects[i] = objects[--object_count];
}

int __clew_nondet_int(void)
{
    return nondet_int_value;
}

size_t __clew_nondet_size(void)
{
    return 0;
}

long __clew_nondet_long(void)
{
    return 0;
}

double __clew_nondet_double(void)
{
    return 0;
}
