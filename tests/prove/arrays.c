// SPDX-License-Identifier: MIT OR Apache-2.0
// What loops leave in arrays: parts that are filled, copied, rewritten, from either end, in rows. Each check divides by
// zero if the claim is wrong.
#include <stdlib.h>

#define N 100000

int size; // a bound that is not a local
int input(void);

int copies(void)
{
    static int a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = input();
    }
    for (int i = 0; i < N; i++) {
        b[i] = a[i];
    }
    for (int i = 0; i < N; i++) {
        c[i] = b[i];
    }
    int r = 0;
    for (int i = 0; i < N; i++) {
        r = 1 / (a[i] == c[i]); // proved: division-by-zero
    }
    return r;
}

int copies_of_what_changed(int k)
{
    static int a[N], b[N];
    for (int i = 0; i < N; i++) {
        b[i] = a[i] = input();
    }
    for (int i = 0; i < N; i++) {
        b[i] = a[i];
    }
    if (k >= 0 && k < N) {
        a[k] = input();
    }
    int r = 0;
    for (int i = 0; i < N; i++) {
        r = 1 / (a[i] == b[i]); // open: division-by-zero
    }
    return r;
}

int rewrites(void)
{
    static int a[N];
    for (int i = 0; i < N; i++) {
        a[i] = 42;
    }
    for (int i = 0; i < N; i++) {
        a[i] = a[i] + i;
    }
    int r = 0;
    for (int i = 0; i < N; i++) {
        r = 1 / (a[i] == 42 + i); // proved: division-by-zero
    }
    for (int i = 0; i < N; i++) {
        r = 1 / (a[i] == 43 + i); // open: division-by-zero
    }
    return r;
}

int half(void)
{
    static int a[N];
    for (int i = 0; i < N; i++) {
        a[i] = 1;
    }
    for (int i = 0; i < N / 2; i++) {
        a[i] = 2;
    }
    int r = 0;
    for (int i = 0; i < N / 2; i++) {
        r = 1 / (a[i] == 2); // proved: division-by-zero
    }
    for (int i = N / 2; i < N; i++) {
        r = 1 / (a[i] == 1); // proved: division-by-zero
    }
    for (int i = 0; i < N; i++) {
        r = 1 / (a[i] == 2); // open: division-by-zero
    }
    return r;
}

int from_the_end(void)
{
    size = input();
    if (size < 2 || size > N) {
        return 0;
    }
    int *a = malloc(size * sizeof *a);
    if (!a) {
        return 0;
    }
    for (int i = size - 2; i >= 0; i--) {
        a[i] = i;
        a[i + 1] = i + 1;
    }
    int r = 0;
    for (int i = 0; i < size; i++) {
        r = 1 / (a[i] >= i); // proved: out-of-bounds division-by-zero uninitialised-read
    }
    free(a);
    return r;
}

int from_the_end_but_one(void)
{
    int a[N / 10];
    for (int i = N / 10 - 2; i >= 0; i--) {
        a[i] = i;
    }
    int r = 0;
    for (int i = 0; i < N / 10; i++) {
        r ^= a[i]; // open: uninitialised-read
    }
    return r;
}

int written_twice(void)
{
    static int a[N + 1];
    for (int i = 0; i < N; i++) {
        a[i + 1] = 0;
        a[i] = 3;
    }
    int r = 0;
    for (int i = 0; i < N; i++) {
        r = 6 / a[i]; // proved: division-by-zero
    }
    return r + 6 / a[N]; // open: division-by-zero
}

int matrix(int v)
{
    static int m[1000][1500];
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1500; j++) {
            m[i][j] = v;
        }
    }
    int r = 0;
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1500; j++) {
            r = 1 / (m[i][j] == v); // proved: division-by-zero
        }
    }
    return r;
}

int matrix_but_a_column(int v)
{
    static int m[1000][1500];
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1499; j++) {
            m[i][j] = v;
        }
    }
    int r = 0;
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1500; j++) {
            r = 1 / (m[i][j] == v); // open: division-by-zero
        }
    }
    return r;
}
