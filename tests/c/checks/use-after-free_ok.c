// SPDX-License-Identifier: MIT OR Apache-2.0
// run: exit 0
#include <stdlib.h>

struct node { struct node *next; };

static void release(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *last = calloc(1, sizeof *last);
    release(last);
    return 0;
}
