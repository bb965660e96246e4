/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The intrinsics of the library models, natively. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdint.h>
#include <stdlib.h>

enum kind { PLAIN, CONST, HEAP, DEAD };

static struct object {
    char *start;
    size_t size;
    enum kind kind;
    void *block; /* what the host's heap gave */
} objects[256];
static int object_count;

jmp_buf shim_return;
const char *shim_violated;
int shim_exit_status, shim_invalid, shim_pole, shim_overflow;
_Bool shim_bool;
static int failures;

void shim_fail(const char *file, int line, const char *what, const char *violated)
{
    if (failures++ < 30) {
        printf("%s:%d: %s%s%s\n", file, line, what, violated != NULL ? ", but got " : "", violated != NULL ? violated : "");
    }
}

/* xorshift: the same numbers in every run. */
unsigned long random_bits(void)
{
    static unsigned long state = 88172645463325252ul;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

unsigned random_below(unsigned bound)
{
    return (unsigned)(random_bits() >> 33) % bound;
}

static void add(const void *start, size_t size, enum kind kind, void *block)
{
    if (object_count == sizeof objects / sizeof *objects) {
        puts("too many objects");
        exit(1);
    }
    objects[object_count++] = (struct object){(char *)start, size, kind, block};
}

void shim_object(const void *start, size_t size)
{
    add(start, size, PLAIN, NULL);
}

void shim_const_object(const void *start, size_t size)
{
    add(start, size, CONST, NULL);
}

size_t shim_live_heap(void)
{
    size_t count = 0;
    for (int i = 0; i < object_count; i++) {
        count += objects[i].kind == HEAP;
    }
    return count;
}

void shim_reset(void)
{
    for (int i = 0; i < object_count; i++) {
        free(objects[i].block);
    }
    object_count = 0;
    shim_bool = 0;
    tape_clear();
}

/* The object that holds the pointer, or that ends there. The latest wins, as memory is used again. */
static struct object *find(const void *p)
{
    struct object *ends = NULL;
    for (int i = object_count - 1; i >= 0; i--) {
        uintptr_t offset = (uintptr_t)p - (uintptr_t)objects[i].start;
        if (offset < objects[i].size || (offset == 0 && objects[i].size == 0)) {
            return &objects[i];
        }
        if (offset == objects[i].size && ends == NULL) {
            ends = &objects[i];
        }
    }
    return ends;
}

/* Queues. */

#define QUEUE(name, type)                                      \
    static struct {                                            \
        type items[64];                                        \
        int first, last;                                       \
    } name;                                                    \
    static _Bool name##_next(type *item)                       \
    {                                                          \
        if (name.first == name.last) {                         \
            return 0;                                          \
        }                                                      \
        *item = name.items[name.first++];                      \
        return 1;                                              \
    }                                                          \
    static void name##_push(type item)                         \
    {                                                          \
        if (name.last < 64) {                                  \
            name.items[name.last++] = item;                    \
        }                                                      \
    }

QUEUE(bools, _Bool)
QUEUE(ints, long)
QUEUE(sizes, size_t)
QUEUE(floats, long double)

static struct {
    unsigned char items[16384];
    size_t first, last;
} bytes;

void tape_bool(_Bool value)
{
    bools_push(value);
}

void tape_int(long value)
{
    ints_push(value);
}

void tape_size(size_t value)
{
    sizes_push(value);
}

void tape_float(long double value)
{
    floats_push(value);
}

void tape_bytes(const void *from, size_t n)
{
    memcpy(bytes.items + bytes.last, from, n);
    bytes.last += n;
}

void tape_clear(void)
{
    bools.first = bools.last = ints.first = ints.last = 0;
    sizes.first = sizes.last = floats.first = floats.last = 0;
    bytes.first = bytes.last = 0;
}

/* The intrinsics. */

void shim_begin(void)
{
    shim_violated = NULL;
    shim_invalid = shim_pole = shim_overflow = 0;
    shim_exit_status = -1;
}

void __clew_require(const char *check, int condition)
{
    if (condition) {
        return;
    }
    if (shim_violated == NULL) {
        shim_violated = check;
    }
    if (strcmp(check, "float-invalid") == 0) {
        shim_invalid = 1;
    } else if (strcmp(check, "float-division-by-zero") == 0) {
        shim_pole = 1;
    } else if (strcmp(check, "float-overflow") == 0) {
        shim_overflow = 1;
    } else {
        longjmp(shim_return, VIOLATED);
    }
}

void __clew_assume(int condition)
{
    if (!condition) {
        longjmp(shim_return, IMPOSSIBLE);
    }
}

void model__exit(int status)
{
    shim_exit_status = status;
    longjmp(shim_return, EXITED);
}

int __clew_not_null(const void *p)
{
    return p != NULL;
}

int __clew_valid(const void *p)
{
    return p == NULL || find(p) != NULL;
}

int __clew_handle(const void *p)
{
    struct object *object = find(p);
    return object != NULL && object->kind != DEAD;
}

int __clew_lasting(const void *p)
{
    (void)p;
    return 1;
}

int __clew_callable(int (*p)(const void *, const void *))
{
    return p != NULL;
}

int __clew_live(const void *p)
{
    struct object *object = find(p);
    return p == NULL || object == NULL || object->kind != DEAD;
}

int __clew_readable(const void *p, size_t n)
{
    struct object *object = find(p);
    if (object == NULL || object->kind == DEAD) {
        return 0;
    }
    return n <= object->size - (size_t)((const char *)p - object->start);
}

int __clew_writable(const void *p, size_t n)
{
    return __clew_readable(p, n) && find(p)->kind != CONST;
}

int __clew_nul_within(const void *p)
{
    struct object *object = find(p);
    if (object == NULL || object->kind == DEAD) {
        return 0;
    }
    return memchr(p, 0, object->size - (size_t)((const char *)p - object->start)) != NULL;
}

/* The host does not know what was written. */
int __clew_written(const void *p, size_t n)
{
    (void)p, (void)n;
    return 1;
}

int __clew_written_text(const void *p)
{
    (void)p;
    return 1;
}

int __clew_same_object(const void *p, const void *q)
{
    return find(p) == find(q);
}

int __clew_disjoint(const void *p, size_t n, const void *q, size_t m)
{
    uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
    return n == 0 || m == 0 || a + n <= b || b + m <= a;
}

int __clew_alloc_base(const void *p)
{
    struct object *object = find(p);
    return p == NULL || (object != NULL && object->kind == HEAP && object->start == p);
}

void __clew_copy(void *to, const void *from, size_t n)
{
    if (n > 0) {
        memmove(to, from, n);
    }
}

void __clew_fill(void *to, int byte, size_t n)
{
    if (n > 0) {
        memset(to, byte, n);
    }
}

void __clew_havoc(void *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((unsigned char *)to)[i] = bytes.first < bytes.last ? bytes.items[bytes.first++] : (unsigned char)random_bits();
    }
}

size_t __clew_nul_position(const void *p)
{
    return strlen(p);
}

size_t __clew_object_size(const void *p)
{
    return find(p)->size;
}

/* Page-aligned, so that every alignment that tests ask for is met. */
void *__clew_allocate(size_t n)
{
    void *block = NULL;
    if (n > 1 << 20 || posix_memalign(&block, 4096, n + 1) != 0) {
        longjmp(shim_return, IMPOSSIBLE);
    }
    memset(block, 0xa5, n + 1);
    add(block, n, HEAP, block);
    return block;
}

void *__clew_own(size_t n, int shared)
{
    (void)shared;
    return __clew_allocate(n);
}

/* The memory stays, so that later uses are seen. */
/* For witnesses only. */
void __clew_came(int how, const void *from, int descriptor, const void *bytes, size_t n)
{
    (void)how, (void)from, (void)descriptor, (void)bytes, (void)n;
}

void __clew_likely(int condition)
{
    (void)condition;
}

void __clew_release(void *p)
{
    find(p)->kind = DEAD;
}

_Bool __clew_nondet_bool(void)
{
    _Bool value = shim_bool;
    bools_next(&value);
    return value;
}

/* The values that assumptions like are frequent. */
static long any(void)
{
    static const long frequent[] = {0, 1, -1, 2, 255, 65, __INT_MAX__, -__INT_MAX__ - 1};
    unsigned which = random_below(12);
    return which < 8 ? frequent[which] : (long)random_bits();
}

long __clew_nondet_long(void)
{
    long value = any();
    ints_next(&value);
    return value;
}

int __clew_nondet_int(void)
{
    return (int)__clew_nondet_long();
}

size_t __clew_nondet_size(void)
{
    size_t value = random_below(4) == 0 ? random_bits() : random_below(100);
    sizes_next(&value);
    return value;
}

long double __clew_nondet_long_double(void)
{
    long double value = (long double)(long)random_bits() * 0x1p-62L;
    floats_next(&value);
    return value;
}

double __clew_nondet_double(void)
{
    return (double)__clew_nondet_long_double();
}

/* The host's own: what is judged is when models ask for them. */
#define ROUNDED(T, suffix)                                                                                   \
    T __clew_sqrt##suffix(T x) { return __builtin_sqrt##suffix(x); }                                         \
    T __clew_fmod##suffix(T x, T y) { return __builtin_fmod##suffix(x, y); }                                 \
    T __clew_fma##suffix(T x, T y, T z) { return __builtin_fma##suffix(x, y, z); }
ROUNDED(float, f)
ROUNDED(double, )
ROUNDED(long double, l)

float __clew_nondet_float(void)
{
    return (float)__clew_nondet_long_double();
}

/* The program: runs the tests of one header. */
int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"string", test_string}, {"ctype", test_ctype}, {"stdlib", test_stdlib}, {"number", test_number},
        {"printf", test_printf}, {"scanf", test_scanf}, {"stdio", test_stdio}, {"math", test_math},
        {"system", test_system},
    };
    int ran = 0;
    for (size_t i = 0; count == 2 && i < sizeof tests / sizeof *tests; i++) {
        if (strcmp(arguments[1], tests[i].name) == 0) {
            tests[i].run();
            ran++;
        }
    }
    printf("%d failures\n", failures);
    return ran == 1 && failures == 0 ? 0 : 1;
}
