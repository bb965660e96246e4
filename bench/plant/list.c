// SPDX-License-Identifier: MIT OR Apache-2.0
// A sorted linked list with insertion, removal and reversal.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    int count;
    struct node *next;
};

static struct node *make(int key, struct node *next)
{
    struct node *n = malloc(sizeof(struct node));
    if (n == NULL)
        exit(1);
    n->key = key;
    n->count = 1;
    n->next = next;
    return n;
}

static struct node *insert(struct node *head, int key)
{
    struct node **link = &head;
    while (*link != NULL && (*link)->key < key)
        link = &(*link)->next;
    if (*link != NULL && (*link)->key == key)
        (*link)->count++;
    else
        *link = make(key, *link);
    return head;
}

static struct node *removed(struct node *head, int key)
{
    struct node **link = &head;
    while (*link != NULL) {
        struct node *n = *link;
        if (n->key == key) {
            *link = n->next;
            free(n);
            break;
        }
        link = &n->next;
    }
    return head;
}

static struct node *reversed(struct node *head)
{
    struct node *out = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = out;
        out = head;
        head = next;
    }
    return out;
}

int main(void)
{
    struct node *head = NULL;
    unsigned state = 12345;
    int sum = 0;
    for (int i = 0; i < 200; i++) {
        state = state * 1103515245u + 12345u;
        head = insert(head, (int)(state >> 16) % 50);
    }
    for (int key = 0; key < 50; key += 7)
        head = removed(head, key);
    head = reversed(head);
    for (struct node *n = head; n != NULL; n = n->next) {
        printf("%d:%d ", n->key, n->count);
        sum += n->key * n->count;
    }
    printf("\n%d\n", sum);
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
