/* The product of two matrices, 3 by 8 and 8 by 3.
   run: --function product --range a=-1..1 --range b=-1..1
   ratio: absolute <= 10 */
void product(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 8; k++)
                sum += a[8 * i + k] * b[8 * k + j];
            c[3 * i + j] = sum;
        }
}
