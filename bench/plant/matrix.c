// SPDX-License-Identifier: MIT OR Apache-2.0
// Gauss elimination and products on small matrices, on the heap and in arrays.
#include <stdio.h>
#include <stdlib.h>

#define SIDE 6

static double *identity(int n)
{
    double *m = malloc((size_t)n * (size_t)n * sizeof(double));
    if (m == NULL)
        exit(1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i * n + j] = i == j ? 1.0 : 0.0;
    return m;
}

static void multiply(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static int invert(double a[SIDE][SIDE], double *out)
{
    for (int col = 0; col < SIDE; col++) {
        int pivot = col;
        for (int row = col + 1; row < SIDE; row++)
            if (a[row][col] * a[row][col] > a[pivot][col] * a[pivot][col])
                pivot = row;
        if (a[pivot][col] == 0.0)
            return 0;
        for (int j = 0; j < SIDE; j++) {
            double t = a[col][j];
            a[col][j] = a[pivot][j];
            a[pivot][j] = t;
            t = out[col * SIDE + j];
            out[col * SIDE + j] = out[pivot * SIDE + j];
            out[pivot * SIDE + j] = t;
        }
        double scale = a[col][col];
        for (int j = 0; j < SIDE; j++) {
            a[col][j] /= scale;
            out[col * SIDE + j] /= scale;
        }
        for (int row = 0; row < SIDE; row++) {
            if (row == col)
                continue;
            double factor = a[row][col];
            for (int j = 0; j < SIDE; j++) {
                a[row][j] -= factor * a[col][j];
                out[row * SIDE + j] -= factor * out[col * SIDE + j];
            }
        }
    }
    return 1;
}

int main(void)
{
    double a[SIDE][SIDE], keep[SIDE * SIDE], product[SIDE * SIDE];
    double *inverse = identity(SIDE);
    int ones = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = 1.0 / (i + j + 1) + (i == j);
            keep[i * SIDE + j] = a[i][j];
        }
    if (!invert(a, inverse))
        return 1;
    multiply(keep, inverse, product, SIDE);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++)
            printf("%8.4f", inverse[i * SIDE + j]);
        printf("\n");
        ones += (int)(product[i * SIDE + i] + 0.5);
    }
    printf("%d\n", ones);
    free(inverse);
    return 0;
}
