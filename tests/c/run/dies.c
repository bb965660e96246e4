// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 134
// flags: -DHOW=6
#include <signal.h>
#include <stdio.h>

int main(void) {
    puts("now");
    fflush(stdout);
    raise(HOW);
    return 0;
}
