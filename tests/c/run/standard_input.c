// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
// stdin: 3 4\n5\n
#include <stdio.h>

int main(void) {
    int sum = 0, n;
    while (scanf("%d", &n) == 1)
        sum += n;
    printf("%d\n", sum);
    return 0;
}
