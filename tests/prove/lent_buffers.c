// SPDX-License-Identifier: MIT OR Apache-2.0
// A buffer that was lent to a stream is the stream's: it is written later, and must outlive the stream.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static char buffer[BUFSIZ], other[BUFSIZ];
int input(void);

static void local(void)
{
    char local[BUFSIZ];
    setbuf(stdin, local); // open: use-after-free
}

int main(void)
{
    buffer[0] = 'q';
    printf("abc");
    assert(buffer[0] == 'q');                     // unreachable: assertion
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer); // proved: use-after-free out-of-bounds
    buffer[0] = 'q';
    assert(buffer[0] == 'q'); // unreachable: assertion
    printf("abc");
    assert(buffer[0] == 'q'); // open: assertion
    setvbuf(stderr, other, _IOFBF, sizeof other);
    other[0] = 'q';
    fputs("abc", stderr);
    assert(other[0] == 'q'); // open: assertion
    local();
    char *heap = malloc(BUFSIZ);
    if (heap)
        setvbuf(stdout, heap, _IOLBF, BUFSIZ); // open: use-after-free
    return 0;
}
