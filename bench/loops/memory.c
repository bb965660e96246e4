// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores: a sieve, a matrix product and a walk over a linked list.
#include <stdio.h>
#include <stdlib.h>

#define SIEVE 2000000
#define SIDE 120

struct node {
    struct node *next;
    int value;
};

static unsigned char composite[SIEVE];
static int left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

static int sieve(void)
{
    int primes = 0;
    for (int i = 2; i < SIEVE; i++) {
        if (composite[i])
            continue;
        primes++;
        for (long j = (long)i * i; j < SIEVE; j += i)
            composite[j] = 1;
    }
    return primes;
}

static unsigned multiply(void)
{
    unsigned trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            left[i][j] = i - 2 * j;
            right[i][j] = i + j;
        }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < SIDE; i++)
        trace += (unsigned)product[i][i];
    return trace;
}

static long walk(void)
{
    struct node *head = NULL;
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            exit(1);
        n->value = i;
        n->next = head;
        head = n;
    }
    for (int round = 0; round < 10000; round++)
        for (struct node *n = head; n; n = n->next)
            sum += n->value;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return sum;
}

int main(void)
{
    int primes = 0;
    unsigned trace = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < SIEVE; i++)
            composite[i] = 0;
        primes = sieve();
        trace += multiply();
    }
    printf("%d %u %ld\n", primes, trace, walk());
    return 0;
}
