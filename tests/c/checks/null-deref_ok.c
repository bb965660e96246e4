// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stddef.h>

struct node { int value; struct node *next; };

static struct node *find(struct node *list, int value) {
    while (list != NULL && list->value != value)
        list = list->next;
    return list;
}

int main(void) {
    struct node only = {1, NULL};
    struct node *found = find(&only, 2);
    return found != NULL ? found->value : 0;
}
