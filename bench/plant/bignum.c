// SPDX-License-Identifier: MIT OR Apache-2.0
// Factorials and Fibonacci numbers in decimal digits on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    int length;
    int capacity;
    signed char *digits;
};

static struct number from_int(int value)
{
    struct number n;
    n.length = 0;
    n.capacity = 8;
    n.digits = malloc(8);
    if (n.digits == NULL)
        exit(1);
    while (value > 0) {
        n.digits[n.length++] = (signed char)(value % 10);
        value /= 10;
    }
    return n;
}

static void append(struct number *n, int digit)
{
    if (n->length == n->capacity) {
        signed char *more = realloc(n->digits, (size_t)n->capacity * 2);
        if (more == NULL)
            exit(1);
        n->digits = more;
        n->capacity = n->capacity * 2;
    }
    n->digits[n->length++] = (signed char)digit;
}

static void times(struct number *n, int factor)
{
    int carry = 0;
    for (int i = 0; i < n->length; i++) {
        int value = n->digits[i] * factor + carry;
        n->digits[i] = (signed char)(value % 10);
        carry = value / 10;
    }
    while (carry > 0) {
        append(n, carry % 10);
        carry /= 10;
    }
}

static void add(struct number *a, const struct number *b)
{
    int carry = 0;
    for (int i = 0; i < b->length || carry > 0; i++) {
        int sum = carry;
        if (i < b->length)
            sum += b->digits[i];
        if (i < a->length) {
            sum += a->digits[i];
            a->digits[i] = (signed char)(sum % 10);
        } else {
            append(a, sum % 10);
        }
        carry = sum / 10;
    }
}

static void print(const struct number *n)
{
    for (int i = n->length - 1; i >= 0; i--)
        putchar('0' + n->digits[i]);
    putchar('\n');
}

int main(void)
{
    struct number factorial = from_int(1), a = from_int(1), b = from_int(1);
    for (int i = 2; i <= 40; i++)
        times(&factorial, i);
    print(&factorial);
    for (int i = 0; i < 120; i++) {
        struct number old;
        old.length = a.length;
        old.capacity = a.capacity;
        old.digits = malloc((size_t)a.capacity);
        if (old.digits == NULL)
            return 1;
        memcpy(old.digits, a.digits, (size_t)a.length);
        add(&a, &b);
        free(b.digits);
        b = old;
    }
    print(&a);
    free(factorial.digits);
    free(a.digits);
    free(b.digits);
    return 0;
}
