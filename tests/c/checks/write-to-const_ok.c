// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <ctype.h>

static void capitalise(char *word) {
    word[0] = (char)toupper((unsigned char)word[0]);
}

int main(void) {
    char word[] = "clew";
    capitalise(word);
    return 0;
}
