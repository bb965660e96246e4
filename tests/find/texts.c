// Text from outside: as long as the arrays of the program, and one more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy(const char *text) {
    char small[24];
    strcpy(small, text); // violated: out-of-bounds
    puts(small);
}

static void guarded(const char *text) {
    char small[24];
    if (strlen(text) < sizeof small)
        strcpy(small, text);
}

int main(int argc, char **argv) {
    char line[64];
    if (argc > 1)
        guarded(argv[1]);
    if (argc > 2)
        return 100 / atoi(argv[2]); // violated: division-by-zero bad-argument
    if (fgets(line, sizeof line, stdin)) {
        copy(line);
        line[strlen(line) - 1] = 0; // violated: out-of-bounds
    }
    return 0;
}
