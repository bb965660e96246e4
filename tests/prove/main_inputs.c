// SPDX-License-Identifier: MIT OR Apache-2.0
// The environment is a list of its own: `argc` says nothing of it.
#include <assert.h>

int main(int argc, char **argv, char **envp)
{
    if (argc > 0 && argv[0][0] == '/') // proved: null-deref out-of-bounds
        envp[0] = argv[0]; // proved: out-of-bounds null-deref
    if (argc == 3) {
        argv[2][0] = 1;   // proved: out-of-bounds null-deref use-after-free
        envp[2][0] = 1;   // open: out-of-bounds null-deref
    }
    assert(argc > 0);     // open: assertion
    assert(envp[0] == 0); // open: assertion
    return 0;
}
