// SPDX-License-Identifier: MIT OR Apache-2.0
// Bytes that nobody wrote, read by the library: in a local, on the heap, in a member, by way of a helper.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    int kind;
    char text[8];
};

static void show(const char *text)
{
    puts(text); // violated: uninitialised-read
}

int main(int argc, char **argv)
{
    char local[10], other[4] = { 0 };
    struct message message;
    char *made = malloc(8);
    (void)argv;
    if (made == NULL)
        return 0;
    made[7] = 0;
    local[9] = 0;
    message.text[7] = 0;
    show(local);
    if (argc > 2)
        printf("%s\n", message.text); // violated: uninitialised-read
    if (argc > 3)
        argc += memcmp(local, other, 4) != 0; // violated: uninitialised-read
    if (argc > 4)
        strcat(made, "x"); // violated: uninitialised-read
    free(made);
    return 0;
}
