// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stddef.h>

struct node { int value; struct node *next; };

static struct node *find(struct node *list, int value) {
    while (list != NULL && list->value != value)
        list = list->next;
    return list;
}

int main(void) {
    struct node only = {1, NULL};
    return find(&only, 2)->value; // finds: null-deref
}
