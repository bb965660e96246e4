// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdint.h>
#include <stdio.h>

static int shared;

static int next(void) {
    return ++shared;
}

int main(void) {
    double largest = 1e308;
    printf("%g\n", largest * 10); // counts: float-overflow
    printf("%g\n", 1 / (largest - largest)); // counts: float-division-by-zero
    _Alignas(4) char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    printf("%x\n", *(uint32_t *)(bytes + 1)); // counts: misaligned-access
    int first[2] = {0}, second[2] = {0};
    (void)(first < second); // counts: pointer-compare
    printf("%d\n", next() + next()); // counts: order-dependent
    return 0;
}
