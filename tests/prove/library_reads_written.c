// SPDX-License-Identifier: MIT OR Apache-2.0
// What library functions read has been written: bytes that nobody wrote are a question.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[8];
    int number;
};

static void texts(int n)
{
    char ended[10], filled[10] = "abc", copied[10], printed[20], gap[10];
    ended[9] = 0;
    puts(ended); // open: uninitialised-read
    puts(filled); // proved: uninitialised-read
    strcpy(copied, filled); // proved: uninitialised-read
    printf("%s %s", copied, "literal"); // proved: uninitialised-read
    snprintf(printed, sizeof printed, "%d", n);
    puts(printed); // proved: uninitialised-read
    gap[0] = 'a';
    gap[2] = 0;
    n = (int)strlen(gap); // open: uninitialised-read
    gap[1] = 'b';
    n = (int)strlen(gap); // proved: uninitialised-read
}

static void bytes(FILE *file)
{
    struct record whole = { "a", 1 }, part, copy;
    unsigned char *made = malloc(16);
    if (made == NULL)
        return;
    memset(&part, 0, 8);
    memcpy(&copy, &part, sizeof copy); // proved: out-of-bounds
    fwrite(&whole, sizeof whole, 1, file); // proved: uninitialised-read
    fwrite(&part, sizeof part, 1, file); // open: uninitialised-read
    if (memcmp(&part, &whole, 8) == 0) // proved: uninitialised-read
        puts("same");
    if (memcmp(made, &whole, 8) == 0) // open: uninitialised-read
        puts("same");
    memset(made, 0, 16);
    if (memcmp(made, &whole, 8) == 0) // proved: uninitialised-read
        puts("same");
    free(made);
}

int main(int argc, char **argv)
{
    (void)argv;
    texts(argc);
    bytes(stdout);
    return 0;
}
