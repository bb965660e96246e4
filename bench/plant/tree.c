// SPDX-License-Identifier: MIT OR Apache-2.0
// A binary search tree with removal, drawn with its depths.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int key;
};

static int nodes;

static struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);
    if (t == NULL)
        exit(1);
    t->left = NULL;
    t->right = NULL;
    t->key = key;
    nodes++;
    return t;
}

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL)
        return leaf(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static struct tree *drop(struct tree *t, int key)
{
    if (t == NULL)
        return NULL;
    if (key < t->key) {
        t->left = drop(t->left, key);
    } else if (key > t->key) {
        t->right = drop(t->right, key);
    } else if (t->left == NULL || t->right == NULL) {
        struct tree *child = t->left != NULL ? t->left : t->right;
        free(t);
        nodes--;
        return child;
    } else {
        struct tree *next = t->right;
        while (next->left != NULL)
            next = next->left;
        t->key = next->key;
        t->right = drop(t->right, next->key);
    }
    return t;
}

static void print(const struct tree *t, int depth)
{
    if (t == NULL)
        return;
    print(t->left, depth + 1);
    printf("%d@%d ", t->key, depth);
    print(t->right, depth + 1);
}

static void destroy(struct tree *t)
{
    if (t == NULL)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct tree *root = NULL;
    int history[40];
    for (int i = 0; i < 40; i++) {
        history[i] = (i * 37 + 11) % 101;
        root = insert(root, history[i]);
    }
    print(root, 0);
    for (int i = 0; i < 40; i += 3)
        root = drop(root, history[i]);
    printf("\n%d left: ", nodes);
    print(root, 0);
    printf("\n");
    destroy(root);
    return 0;
}
