// Memory that is never written holds whatever lay there: a text without its end, a number that is out of range.
#include <stdlib.h>
#include <string.h>

static void copy(char *to, const char *from) {
    int i = 0;
    while (from[i] != 0) { // violated: uninitialised-read
        to[i] = from[i];   // violated: out-of-bounds
        i++;
    }
    to[i] = 0; // violated: out-of-bounds
}

static int fields(const char *text) {
    int starts[3];
    int count = 0;
    for (int at = 0; text[at] != 0; at++) // violated: uninitialised-read
        if (text[at] == ';') // violated: uninitialised-read
            starts[count++] = at; // violated: out-of-bounds
    return count;
}

static int number(void) {
    static const int table[4] = {1, 2, 3, 4};
    int index;
    return table[index]; // violated: uninitialised-read out-of-bounds
}

static int from_heap(void) {
    char *text = malloc(4);
    if (text == 0)
        return 0;
    int is_right = text[0] == 'k' && text[1] == 'e' && text[2] == 'y'; // violated: uninitialised-read
    free(text);
    return is_right ? 1 / (is_right - 1) : 0; // violated: division-by-zero
}

int main(int argc, char **argv) {
    char name[8];
    char small[4];
    name[sizeof name - 1] = 0;
    switch (argc) {
    case 1: copy(small, name); break;
    case 2: return fields(name);
    case 3: return number();
    default: return from_heap();
    }
    return 0;
}
