// SPDX-License-Identifier: MIT OR Apache-2.0
// A const member may not be written, whatever the object is that has it; on the heap nothing was declared.
#include <stdlib.h>
#include <string.h>

struct record {
    const int id;
    int value;
    const char name[4];
};

static struct record table[3];

static void change(struct record *r)
{
    r->value = 2;          // proved: write-to-const
    *(int *)&r->id = 3;    // open: write-to-const
}

static void at_value(struct record *r)
{
    r->value = 2; // proved: write-to-const
}

int main(int argc, char **argv)
{
    struct record local = { 1, 2, "abc" };

    table[argc & 1].value = 7;
    at_value(&table[argc & 1]);
    struct record *heap = malloc(sizeof *heap);
    int *value = &table[2].value;

    if (!heap)
        return 1;
    memcpy(heap, &local, sizeof local); // proved: write-to-const
    *(int *)&heap->id = 4;              // proved: write-to-const
    *value = 5;                         // proved: write-to-const
    value[-1] = 6;                      // open: write-to-const
    free(heap);
    change(argc > 1 ? &table[argc & 1] : &local);
    return 0;
}
