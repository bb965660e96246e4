// Text from outside that only a solver puts together: what several reads ask of one text, a file, a variable.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void characters(void) {
    static int table[4];
    int a = getchar(), b = getchar(), c = getchar();
    if (a * 7 + b * 13 - c * 5 == 777 && a > b && b > c && c > ' ')
        table[a - b + 4] = 1; // violated: out-of-bounds
}

static int numbers(void) {
    int a, b;
    unsigned h;
    double x;
    if (scanf("%d,%d:%x %lf", &a, &b, &h, &x) != 4)
        return 0;
    if ((a ^ b) == 0x5a5a5a && a == b + 0x464646 && h >> 8 == 0xbeef && x == 2.5) // violated: signed-overflow
        return 1 / (a - a); // violated: division-by-zero
    return 1;
}

static int variable(void) {
    char *mode = getenv("MODE");
    char small[3];
    if (!mode || strlen(mode) != 4)
        return 0;
    if (mode[0] + mode[1] == 200 && mode[2] - mode[3] == 30 && mode[1] == mode[2] + 1) {
        strcpy(small, mode); // violated: out-of-bounds
        return small[0];
    }
    return 0;
}

static unsigned char header(void) {
    unsigned char h[8], table[10] = {0};
    FILE *file = fopen("data.bin", "rb");
    if (!file)
        return 0;
    unsigned char found = 0;
    if (fread(h, 1, 8, file) == 8) {
        unsigned n = h[0] | h[1] << 8 | h[2] << 16 | (unsigned)h[3] << 24, m = h[4] | h[5] << 8;
        if (n * 3 == 0xdeadbeefu && m == (n & 0xffff))
            found = table[h[6]]; // violated: out-of-bounds
    }
    fclose(file);
    return found;
}

static void magic(void) {
    unsigned char h[8];
    char pair[2];
    int file = open("thing", O_RDONLY);
    if (file < 0)
        return;
    if (read(file, h, sizeof h) == sizeof h && memcmp(h, "MAGC", 4) == 0 && (h[4] ^ h[5]) == 0x7e && h[6] + h[7] == 301)
        pair[h[4] > h[5] ? 2 : 0] = 1; // violated: out-of-bounds
    close(file);
}

int main(int argc, char **argv) {
    (void)argv;
    switch (argc) {
    case 1:
        characters();
        break;
    case 2:
        return numbers();
    case 3:
        magic();
        return variable();
    default:
        return header();
    }
    return 0;
}
