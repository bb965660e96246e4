// What a function returns by value is gone when the expression that called it ends.
#include <stdio.h>

struct named {
    char name[8];
    int number;
};

static struct named made(int number) {
    struct named result = {"abc", number};
    return result;
}

static int first(const char *text) {
    return text[0];
}

int main(int argc, char **argv) {
    (void)argv;
    int sum = first(made(1).name) + made(2).name[1];
    struct named whole = made(3);
    printf("%s %d %d\n", made(4).name, sum, whole.number);
    const char *kept = made(5).name;
    if (argc > 1)
        return *kept; // violated: use-after-free
    const char *later;
    later = made(argc).name;
    return later[1]; // violated: use-after-free
}
