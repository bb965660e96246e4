// SPDX-License-Identifier: MIT OR Apache-2.0
// run: finding
#include <stdlib.h>

struct node { struct node *next; };

static void release(struct node *list) {
    for (struct node *n = list; n != NULL; n = n->next) // finds: use-after-free
        free(n);
}

int main(void) {
    struct node *last = calloc(1, sizeof *last);
    release(last);
    return 0;
}
