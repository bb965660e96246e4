// SPDX-License-Identifier: MIT OR Apache-2.0
// What no run of these does: the library promises more than that each call gives any value.
// status: 0
#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    srand(1);
    int a = rand(), c = rand();
    srand(1);
    int b = rand();
    assert(a == b && c == rand());
    srand(7);
    b = rand();
    srand(1);
    assert(a == rand());
    srand(7);
    assert(b == rand());
    struct timespec first, second;
    if (clock_gettime(CLOCK_MONOTONIC, &first) == 0 && clock_gettime(CLOCK_MONOTONIC, &second) == 0)
        assert(second.tv_sec >= first.tv_sec);
    clock_t start = clock();
    assert(start == -1 || clock() >= start);
    if (write(1, NULL, 0) < 0)
        return 1;
    return (int)read(0, NULL, 0);
}
