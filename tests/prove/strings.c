// SPDX-License-Identifier: MIT OR Apache-2.0
// Strings of a length that is not known, and scans that stop at the terminator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int scan(const char *s) {
    int i = 0;
    while (s[i] != 0) // proved: out-of-bounds
        i++;
    return i;
}

static int scan_by_pointer(const char *s) {
    const char *p = s;
    while (*p != '\0') // proved: out-of-bounds
        p++;
    return p - s;
}

static int scan_for_another(const char *s) {
    int i = 0;
    while (s[i] != 'x') // open: out-of-bounds
        i++;
    return i;
}

static int scan_and_write(char *s) {
    int i = 0;
    while (s[i] != 0) { // open: out-of-bounds
        s[i + 1] = 'y';
        i++;
    }
    return i;
}

int main(void) {
    char line[20], copy[20], other[20];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    strcpy(copy, line);      // proved: string-not-terminated out-of-bounds
    size_t n = strlen(copy); // proved: string-not-terminated
    const char *home = getenv("HOME");
    if (home != NULL)
        n += strlen(home); // proved: string-not-terminated
    line[19] = 0;
    int sum = scan(line) + scan_by_pointer(line);
    memset(other, 'a', 19);
    other[19] = 0;
    // From here on runs may have been cut.
    sum += scan_for_another(line) + scan_and_write(other);
    line[rand() % 20] = 'x';
    n += strlen(line); // open: string-not-terminated
    return sum + (int)n;
}
