// The environment as a variable of the library: any number of strings.
extern char **environ;

static int parts;

static int split(char **list) {
    int odd = 0;
    for (int i = 0; list[i]; i++) {
        parts++;
        odd += list[i][0] == 0;
    }
    return odd;
}

int main(void) {
    int odd = split(environ);
    if (odd)
        return 10 / (odd - 1); // violated: division-by-zero
    return 10 % (3 - parts); // violated: division-by-zero
}
