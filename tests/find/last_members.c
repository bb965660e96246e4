// SPDX-License-Identifier: MIT OR Apache-2.0
// The last array of a struct may have more elements than were declared; none lie before its first.
#include <stdlib.h>

struct stack {
    long top;
    long values[4];
};

struct line {
    int length;
    char text[];
};

static long pop(struct stack *s)
{
    return s->values[--s->top]; // violated: out-of-bounds
}

static char last(struct line *line)
{
    return line->text[line->length - 1]; // violated: out-of-bounds
}

int main(int argc, char **argv)
{
    struct stack s = {1, {7}};
    long sum = pop(&s);
    if (argc == 1)
        sum += pop(&s);
    struct line *line = malloc(sizeof *line + 8);
    if (!line)
        return 1;
    line->length = argc == 2 ? 0 : 8;
    for (int i = 0; i < 8; i++)
        line->text[i] = 'a'; // proved: out-of-bounds
    sum += last(line);
    free(line);
    return sum > 10;
}
