// SPDX-License-Identifier: MIT OR Apache-2.0
// status: 0
// A variable that getenv finds is in the list from the start.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv, char **envp)
{
    char *e = getenv("K1");

    if (e && envp[0] == 0)
        assert(0);
    return 0;
}
