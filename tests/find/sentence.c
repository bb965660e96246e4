// SPDX-License-Identifier: MIT OR Apache-2.0
// Words are put together as long as they fit; the separator was forgotten.
#include <string.h>

void next_word(char *word, int size);

int main(void)
{
    char line[256] = "", word[20];

    for (int i = 0; i < 30; i++) {
        next_word(word, sizeof word);
        if (strlen(line) + strlen(word) + 1 > sizeof line) // violated: string-not-terminated
            continue;
        if (line[0] != '\0')
            strcat(line, " "); // violated: out-of-bounds
        strcat(line, word); // violated: out-of-bounds
    }
    return 0;
}
