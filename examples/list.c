// SPDX-License-Identifier: MIT OR Apache-2.0
// Removes nodes from a list while walking it. The loop's step reads a node that its body has freed.
//
//     clew run examples/list.c
//
// finds: use-after-free, with the places of the allocation and of the free
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->value = value;
    node->next = list;
    return node;
}

static void clear(struct node *list) {
    for (; list != NULL; list = list->next)
        free(list);
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    printf("first: %d\n", list->value);
    clear(list);
    return 0;
}
