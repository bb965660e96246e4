// Allocations that fail, are lost, or are used when they are gone.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static int *numbers(int count) {
    int *list = malloc(10 * sizeof *list); // violated: memory-leak
    list[0] = count; // violated: null-deref
    return list;
}

int main(void) {
    int *list = numbers(3);
    int choice = __VERIFIER_nondet_int();
    if (choice == 1000)
        list = 0;
    if (choice == 2000) {
        free(list);
        return list[0]; // violated: use-after-free
    }
    if (choice == 3000)
        free(list);
    free(list); // violated: double-free
    struct node *node = calloc(1, sizeof *node);
    if (node)
        node->value = 1;
    free(node);
    return 0;
}
