// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <ctype.h>

static void capitalise(char *word) {
    word[0] = (char)toupper((unsigned char)word[0]); // finds: write-to-const
}

int main(void) {
    char *word = "clew";
    capitalise(word);
    return 0;
}
