// SPDX-License-Identifier: MIT OR Apache-2.0
// What clocks can show, for all engines: -1 where nobody knows, and no more seconds than 2^63 nanoseconds have.
#include <assert.h>
#include <sys/time.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    time_t first = time(NULL), second = time(NULL);
    struct timespec spec;
    struct timeval val = {0};

    switch (__VERIFIER_nondet_int()) {
    case 0: return (int)(second - first > 0);
    case 1: assert(first >= -1); break;
    case 2: assert(first != -1); break;    // violated: assertion
    case 3: assert(second >= first); break; // violated: assertion
    case 4: assert(first <= 9223372036); break;
    case 5: assert(first / 86400 % 7 >= 0); break;
    case 6: assert(clock() >= -1); break;
    case 7:
        if (clock_gettime(CLOCK_MONOTONIC, &spec) == 0)
            assert(spec.tv_sec >= 0 && spec.tv_sec * 1000 >= 0);
        break;
    case 8:
        gettimeofday(&val, NULL);
        assert(val.tv_sec * 1000000 >= 0);
        break;
    }
    return 0;
}
