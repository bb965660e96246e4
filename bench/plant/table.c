// SPDX-License-Identifier: MIT OR Apache-2.0
// A hash table from words to counts that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *word;
    int count;
};

struct table {
    struct entry *entries;
    unsigned size;
    unsigned used;
};

static unsigned hash(const char *word)
{
    unsigned h = 2166136261u;
    for (int i = 0; word[i] != '\0'; i++)
        h = (h ^ (unsigned char)word[i]) * 16777619u;
    return h;
}

static char *copy(const char *word)
{
    char *text = malloc(strlen(word) + 1);
    if (text == NULL)
        exit(1);
    strcpy(text, word);
    return text;
}

static struct entry *find(struct table *t, const char *word)
{
    unsigned at = hash(word) % t->size;
    while (t->entries[at].word != NULL) {
        if (strcmp(t->entries[at].word, word) == 0)
            break;
        at = at + 1 < t->size ? at + 1 : 0;
    }
    return &t->entries[at];
}

static void grow(struct table *t)
{
    struct entry *old = t->entries;
    unsigned size = t->size;
    t->size = size * 2;
    t->entries = calloc(t->size, sizeof(struct entry));
    if (t->entries == NULL)
        exit(1);
    for (unsigned i = 0; i < size; i++) {
        if (old[i].word != NULL)
            *find(t, old[i].word) = old[i];
    }
    free(old);
}

static void add(struct table *t, const char *word)
{
    if (t->used * 2 >= t->size)
        grow(t);
    struct entry *e = find(t, word);
    if (e->word == NULL) {
        e->word = copy(word);
        t->used++;
    }
    e->count++;
}

int main(void)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog while the other fox sleeps in the sun "
                               "and a bird sings over the brown hill where no dog and no fox ever was";
    struct table t = {calloc(4, sizeof(struct entry)), 4, 0};
    char word[16];
    int length = 0, total = 0;
    for (unsigned i = 0; i < sizeof text; i++) {
        if (text[i] != ' ' && text[i] != '\0') {
            word[length++] = text[i];
            continue;
        }
        word[length] = '\0';
        add(&t, word);
        length = 0;
    }
    for (unsigned i = 0; i < t.size; i++) {
        if (t.entries[i].word != NULL) {
            printf("%s %d\n", t.entries[i].word, t.entries[i].count);
            total += t.entries[i].count;
            free(t.entries[i].word);
        }
    }
    free(t.entries);
    printf("%u words, %d in all\n", t.used, total);
    return 0;
}
