// SPDX-License-Identifier: MIT OR Apache-2.0
// Joins words with spaces into a buffer of fixed size. The test for room forgets the separator, so the
// last word that just fits writes its terminator one byte past the end.
//
//     clew run examples/words.c
//
// finds: out-of-bounds, in the strcat that has no room left
#include <stdio.h>
#include <string.h>

static char sentence[32];

static void append(const char *word) {
    if (strlen(sentence) + strlen(word) + 1 <= sizeof sentence) {
        if (sentence[0] != '\0')
            strcat(sentence, " ");
        strcat(sentence, word);
    }
}

int main(void) {
    const char *words[] = {"a", "clew", "leads", "out", "of", "the", "darkness"};
    for (int i = 0; i < 7; i++)
        append(words[i]);
    puts(sentence);
    return 0;
}
