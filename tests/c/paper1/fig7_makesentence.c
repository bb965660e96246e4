// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
// flags: -DLOOPS=30
/* Paper 001, Figs. 7 and 9: strcat of the word overflows when the separator was added and the rest just fits.
   It takes 26 words; with the 10 of the figure at most 399 characters are reached. */
#include <string.h>
#include <stddef.h>
static void getWord(char *word, int n) {
  static int count;
  int length = ++count == 26 ? 24 : n - 1;
  memset(word, 'w', length);
  word[length] = 0;
}
int makeSentence(char *sent) {
  int i;
  char word[40];
  if (sent == NULL) return -1;
  memset(sent, 0, 1024 * sizeof(char));
  for (i = 0; i < LOOPS; ++i) {
    getWord(word, 40);
    if (strlen(sent) + strlen(word) + 1 <= 1024) {
      if (strlen(sent) > 0)
        strcat(sent, "_");
      strcat(sent, word); // finds: out-of-bounds
    }
  }
  return 0;
}
int main(void) {
  static char sentence[1024];
  return makeSentence(sentence);
}
