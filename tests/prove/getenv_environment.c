// SPDX-License-Identifier: MIT OR Apache-2.0
// What `getenv` gives out is a part of the environment that `main` sees.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv, char **envp)
{
    char *mode = getenv("A");
    if (mode && *mode == 'x' && envp[0]) {
        envp[0][2] = 'y';
        assert(*mode == 'x'); // open: assertion
    }
    return 0;
}
