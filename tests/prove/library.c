// SPDX-License-Identifier: MIT OR Apache-2.0
// What the library may do besides what it is called for: set errno, leave a buffer alone, give the same pointer again.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int table[12];

void failures(void)
{
    FILE *file = fopen("data", "r");
    if (file == NULL)
        return;
    char bytes[8];
    errno = 0;
    if (fgetc(file) == EOF && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (fgets(bytes, sizeof bytes, file) == NULL && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (fread(bytes, 1, sizeof bytes, file) < sizeof bytes && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (fwrite("text", 1, 4, file) < 4 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (fputs("text", file) == EOF && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    errno = 0;
    if (ftell(file) == -1 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    int number;
    errno = 0;
    if (fscanf(file, "%d", &number) != 1 && errno != 0)
        table[12] = 1; // undecided: out-of-bounds
    fclose(file);
}

void buffers(void)
{
    char text[8];
    memset(text, 'x', sizeof text);
    strerror_r(1, text, sizeof text);
    strlen(text); // undecided: string-not-terminated

    struct tm calendar = {0};
    calendar.tm_mon = 12;
    if (mktime(&calendar) == -1)
        table[calendar.tm_mon] = 1; // undecided: out-of-bounds

    char *line = NULL;
    size_t room = 0;
    ssize_t length = getline(&line, &room, stdin);
    if (length > 0 && room > (size_t)length + 1)
        table[12] = 1; // undecided: out-of-bounds
    free(line);

    char letters[5];
    if (scanf("%5c", letters) == 1)
        table[1] = letters[4]; // open: uninitialised-read
}

void again(void)
{
    char *one = getenv("ONE"), *same = getenv("ONE");
    if (one != NULL && one == same)
        table[12] = 1; // undecided: out-of-bounds

    time_t early = 0, late = 1000000000;
    char *first = ctime(&early);
    if (first == NULL)
        return;
    char letter = first[0];
    if (ctime(&late) != NULL && first[0] != letter)
        table[12] = 1; // undecided: out-of-bounds
}
