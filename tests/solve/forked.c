// A sorted list of up to four elements, for the solver: where paths with different lists meet, they are not merged.
#include <stdlib.h>
extern int nondet_int(void);
extern void __VERIFIER_error(void);

struct node {
    int value;
    struct node *next;
};

static struct node *inserted(struct node *head) {
    struct node *made = malloc(sizeof *made), **place = &head;
    if (!made)
        exit(1);
    made->value = nondet_int();
    while (*place && (*place)->value < made->value) // proved: invalid-deref
        place = &(*place)->next;
    made->next = *place;
    *place = made;
    return head;
}

int main(void) {
    struct node *head = 0;
    int count = 0, length = 0;
    while (count < 4 && nondet_int()) {
        head = inserted(head);
        count++;
    }
    for (struct node *p = head; p; p = p->next) {
        length++; // proved: signed-overflow
        if (p->next && p->next->value < p->value)
            __VERIFIER_error(); // proved: error-call
    }
    if (length != count)
        __VERIFIER_error(); // proved: error-call
    while (head) {
        struct node *next = head->next; // proved: use-after-free
        free(head); // proved: double-free invalid-free
        head = next;
    }
    return 0;
}
