/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* <stdlib.h>: searching and sorting. C fixes neither the algorithm nor what happens to elements that compare equal, so
 * both are left open as far as a consistent comparison can tell, and so is which elements are compared how often. */
#include "clew.h"

typedef int comparison(const void *, const void *);

/* An array of count * size bytes that exists. */
#define CLEW_ELEMENTS(base, count, size, requirement)                                        \
    do {                                                                                     \
        __clew_require("out-of-bounds", (size) == 0 || (count) <= __PTRDIFF_MAX__ / (size)); \
        requirement(base, (count) * (size));                                                 \
    } while (0)

/* Any element of what is left may be looked at next: every strategy, and every one of equal elements. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare)
{
    __clew_require("bad-argument", compare != NULL);
    __clew_require("bad-call", __clew_callable(compare));
    CLEW_ELEMENTS(base, count, size, CLEW_READS);
    size_t low = 0, high = count;
    while (low < high) {
        size_t probe = low + __clew_nondet_size() % (high - low);
        const char *element = (const char *)base + probe * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void *)element;
        }
        if (order < 0) {
            high = probe;
        } else {
            low = probe + 1;
        }
    }
    return NULL;
}

static void swap(char *left, char *right, char *spare, size_t size)
{
    __clew_copy(spare, left, size);
    __clew_copy(left, right, size);
    __clew_copy(right, spare, size);
}

/* Any elements are compared any number of times, whatever the order is good for. */
static void compare_some(char *elements, size_t count, size_t size, comparison *compare)
{
    while (count > 1 && __clew_nondet_int() != 0) {
        size_t left = __clew_nondet_size() % count, right = __clew_nondet_size() % count;
        compare(elements + left * size, elements + right * size);
    }
}

/* Exact loop: insertion. An element may pass those that it is equal to, so that equal ones end in any order. */
void qsort(void *base, size_t count, size_t size, comparison *compare)
{
    __clew_require("bad-argument", compare != NULL);
    __clew_require("bad-call", __clew_callable(compare));
    CLEW_ELEMENTS(base, count, size, CLEW_WRITES);
    char *elements = base, *spare = __clew_allocate(size);
    compare_some(elements, count, size, compare);
    for (size_t next = 1; next < count; next++) {
        for (size_t at = next; at > 0; at--) {
            char *right = elements + at * size, *left = right - size;
            int order = compare(left, right);
            if (order < 0 || (order == 0 && !__clew_nondet_bool())) {
                break;
            }
            swap(left, right, spare, size);
        }
    }
    compare_some(elements, count, size, compare);
    __clew_release(spare);
}
