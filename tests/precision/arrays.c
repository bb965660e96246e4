/* Elements are inputs, and what is written is a result.
   run: --function dot --range a=-1..1 --range b=-1..1
   shows: a[0] in [-1, 1]
   hides: no bound */
double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += a[i] * b[i];
    return sum;
}
