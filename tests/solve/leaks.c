// What is lost, or not, only under conditions that a solver must weigh.
#include <stdlib.h>
extern int nondet_int(void);

static char *kept;

int main(void) {
    int n = nondet_int();
    if (n < 0 || n > 5)
        return 0;
    char *parts[5] = {0};
    for (int i = 0; i < n; i++)
        parts[i] = malloc(4); // violated: memory-leak
    if (n * n * n == 27)
        parts[1] = 0;
    for (int i = 0; i < n; i++)
        free(parts[i]);
    kept = malloc(8); // undecided: memory-leak
    char *p = malloc(3); // violated: memory-leak
    if (n * n + 2 * n == 15)
        return 1;
    free(p);
    char *q = n & 1 ? malloc(5) : NULL; // proved: memory-leak
    if ((n * n) & 1)
        free(q);
    return 0;
}
