// What holds of every start of a program, and what does not: `argc` may be 0, the name is any text, the environment is
// another list than the arguments.
#include <assert.h>

static int named(char **argv) {
    assert(argv[0][0] != '/'); // open: assertion
    return argv[0][0] == 'p';
}

int main(int argc, char **argv, char **envp) {
    int one = argc >= 0;
    if (argc == 2)
        one = 5 / one + (argv[0] != 0) + (argv[2] == 0); // proved: division-by-zero out-of-bounds null-deref
    assert(argc >= 1);         // open: assertion
    assert(argv[argc] == 0);   // open: assertion
    if (argc == 2 && argv[1][0])
        return envp[1] == 0;   // open: out-of-bounds
    if (envp[0] && envp[1])
        return envp[3] == 0;   // open: out-of-bounds
    return argc ? named(argv) : one;
}
