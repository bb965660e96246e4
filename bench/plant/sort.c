// SPDX-License-Identifier: MIT OR Apache-2.0
// Four sorts of the same numbers, and a binary search.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 64

static void bubble(int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

static void quick(int *a, int low, int high)
{
    if (low >= high)
        return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quick(a, low, j);
    quick(a, i, high);
}

static void merge(int *a, int n)
{
    if (n < 2)
        return;
    int half = n / 2, i = 0, j = half, k = 0;
    int *out = malloc((unsigned)n * sizeof(int));
    if (out == NULL)
        exit(1);
    merge(a, half);
    merge(a + half, n - half);
    while (i < half && j < n)
        out[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < half)
        out[k++] = a[i++];
    while (j < n)
        out[k++] = a[j++];
    memcpy(a, out, (unsigned)n * sizeof(int));
    free(out);
}

static void counting(int *a, int n)
{
    int counts[1000] = {0};
    int k = 0;
    for (int i = 0; i < n; i++)
        counts[a[i]]++;
    for (int value = 0; value < 1000; value++)
        for (int c = 0; c < counts[value]; c++)
            a[k++] = value;
}

static int search(const int *a, int n, int value)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == value)
            return middle;
        if (a[middle] < value)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int numbers[COUNT], a[COUNT], b[COUNT], c[COUNT], d[COUNT];
    unsigned state = 7;
    int found = 0;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (int)(state >> 8) % 1000;
        a[i] = b[i] = c[i] = d[i] = numbers[i];
    }
    bubble(a, COUNT);
    quick(b, 0, COUNT - 1);
    merge(c, COUNT);
    counting(d, COUNT);
    for (int i = 0; i < COUNT; i++) {
        if (a[i] != b[i] || b[i] != c[i] || c[i] != d[i])
            return 1;
        printf("%d ", a[i]);
        found += search(a, COUNT, numbers[i]) >= 0;
    }
    printf("\n%d\n", found);
    return 0;
}
