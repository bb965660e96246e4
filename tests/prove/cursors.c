// SPDX-License-Identifier: MIT OR Apache-2.0
// Pointers that walk over objects whose size only the program knows.
#include <stdlib.h>

static int length(const char *s) {
    const char *p = s;
    while (*p) // proved: out-of-bounds
        p++;
    return (int)(p - s);
}

static int too_far(const char *s) {
    const char *p = s;
    while (*p) // open: out-of-bounds
        p += 2;
    return (int)(p - s);
}

static void copy(char *to, const char *from) {
    while ((*to++ = *from++) != 0) // proved: out-of-bounds
        ;
}

static void copy_into_less(char *to, const char *from) {
    while ((*to++ = *from++) != 0) // open: out-of-bounds
        ;
}

static void zero(void *start, unsigned long n) {
    char *p;
    for (p = start; n--;)
        *p++ = 0; // proved: out-of-bounds
}

static void zero_one_more(void *start, unsigned long n) {
    char *p;
    for (p = start; n--;)
        *p++ = 0; // open: out-of-bounds
}

static int replace(char *s, char old, char new) {
    int count = 0;
    for (; *s; s++) // proved: out-of-bounds
        if (*s == old) {
            *s = new; // proved: out-of-bounds
            count++;
        }
    return count;
}

// What it writes may be the last byte.
static int overwrite(char *s, char *also) {
    int count = 0;
    for (; *s; s++) { // open: out-of-bounds
        *also = 'x';
        count++;
    }
    return count;
}

static long sum(const int *from, const int *to) {
    long sum = 0;
    while (from < to)
        sum += *from++; // proved: out-of-bounds
    return sum;
}

static long sum_one_more(const int *from, const int *to) {
    long sum = 0;
    while (from <= to)
        sum += *from++; // open: out-of-bounds
    return sum;
}

static int size(int most) {
    int n = rand();
    return n < 1 ? 1 : n > most ? most : n;
}

static char *string(int n) {
    char *s = malloc(n);
    if (s == NULL)
        exit(1);
    for (int i = 0; i < n - 1; i++)
        s[i] = (char)rand(); // proved: out-of-bounds
    s[n - 1] = 0;            // proved: out-of-bounds
    return s;
}

static int not_terminated(int n) {
    char *s = string(n);
    s[n - 1] = 'x';
    int i = 0;
    for (char *p = s; *p; p++) // open: out-of-bounds
        i++;
    free(s);
    return i;
}

static int written_elsewhere(int n, int at) {
    char *s = string(n);
    if (at >= 0 && at < n - 1)
        s[at] = 'x';
    int i = 0;
    for (char *p = s; *p; p++) // proved: out-of-bounds
        i++;
    free(s);
    return i;
}

static int written_anywhere(int n, int at) {
    char *s = string(n);
    if (at >= 0 && at < n)
        s[at] = 'x';
    int i = 0;
    for (char *p = s; *p; p++) // open: out-of-bounds
        i++;
    free(s);
    return i;
}

// The object that is walked over is not the one that was made last.
static int older(int n) {
    char *first = NULL;
    int i = 0;
    for (int turn = 0; turn < 3; turn++) {
        char *s = malloc(n);
        if (s == NULL)
            exit(1);
        for (int k = 0; k < n; k++)
            s[k] = 'x';
        if (turn == 2)
            s[n - 1] = 0;
        if (first == NULL)
            first = s;
    }
    for (char *p = first; *p; p++) // open: out-of-bounds
        i++;
    return i;
}

int main(void) {
    int n = size(1000), m = size(1000);
    char *s = string(n);
    int found = length(s) + replace(s, (char)rand(), (char)rand());
    if (m >= n) {
        char *large = __builtin_alloca(m);
        copy(large, s);
        zero(large, n);
    }
    int *numbers = malloc(n * sizeof *numbers);
    if (numbers == NULL)
        exit(1);
    for (int i = 0; i < n; i++)
        numbers[i] = i; // proved: out-of-bounds
    found += (int)sum(numbers, numbers + n) & 255;
    found += written_elsewhere(size(100), rand());
    // From here on runs may have been cut.
    switch (rand()) {
    case 0:
        return too_far(s);
    case 1: {
        char *small = __builtin_alloca(n);
        char *other = string(m);
        if (m <= n + 1)
            copy_into_less(small, other);
        return 0;
    }
    case 2: {
        char *area = __builtin_alloca(n);
        zero_one_more(area, n + 1ul);
        return 0;
    }
    case 3:
        return overwrite(s, s + rand() % n);
    case 4:
        return (int)sum_one_more(numbers, numbers + n);
    case 5:
        return not_terminated(n);
    case 6:
        return older(n);
    case 7:
        return written_anywhere(n, rand());
    }
    return found;
}
