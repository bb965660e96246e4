// What `main` is given: no arguments at all, any name, an environment of any strings.
#include <assert.h>

struct start {
    int argc;
    char **argv;
    char **envp;
};

static int count(char **list) {
    int n = 0;
    while (list[n])
        n++;
    return n;
}

static int environment(struct start *start) {
    int n = count(start->envp);
    if (n == 5)
        return 100 / (5 - n); // violated: division-by-zero
    if (n == 1)
        assert(start->envp[0][0] != '='); // violated: assertion
    return n;
}

int main(int argc, char **argv, char **envp) {
    struct start start = {argc, argv, envp};
    if (argc == 0)
        return argv[0][0]; // violated: null-deref
    assert(argv[0][0] != '/'); // violated: assertion
    argv[0][0] = 'x';
    assert(argv[argc] == 0);
    return environment(&start) < 0;
}
