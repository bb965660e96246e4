// SPDX-License-Identifier: MIT OR Apache-2.0
// A stack machine with a jump table of functions that computes a few programs.
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, ADD, SUB, MUL, DIV, DUP, SWAP, JNZ, PRINT, HALT };

#define DEPTH 16

struct machine {
    int stack[DEPTH];
    int top;
    int at;
    const int *code;
};

static int pop(struct machine *m)
{
    if (m->top == 0)
        exit(3);
    m->top = m->top - 1;
    return m->stack[m->top];
}

static void push(struct machine *m, int value)
{
    if (m->top >= DEPTH)
        exit(4);
    m->stack[m->top] = value;
    m->top = m->top + 1;
}

static void op_add(struct machine *m) { int b = pop(m); int a = pop(m); push(m, a + b); }
static void op_sub(struct machine *m) { int b = pop(m); int a = pop(m); push(m, a - b); }
static void op_mul(struct machine *m) { int b = pop(m); int a = pop(m); push(m, a * b); }

static void op_div(struct machine *m)
{
    int b = pop(m);
    int a = pop(m);
    if (b == 0)
        exit(5);
    push(m, a / b);
}

static void op_dup(struct machine *m) { int a = pop(m); push(m, a); push(m, a); }
static void op_swap(struct machine *m) { int b = pop(m); int a = pop(m); push(m, b); push(m, a); }
static void op_print(struct machine *m) { printf("%d ", pop(m)); }

static void (*const operations[])(struct machine *) = {
    [ADD] = op_add, [SUB] = op_sub, [MUL] = op_mul, [DIV] = op_div,
    [DUP] = op_dup, [SWAP] = op_swap, [PRINT] = op_print,
};

static void run(const int *code)
{
    struct machine *m = calloc(1, sizeof(struct machine));
    if (m == NULL)
        exit(1);
    m->code = code;
    for (;;) {
        int op = m->code[m->at++];
        if (op == HALT)
            break;
        if (op == PUSH) {
            push(m, m->code[m->at++]);
        } else if (op == JNZ) {
            int target = m->code[m->at++];
            if (pop(m) != 0)
                m->at = target;
        } else {
            operations[op](m);
        }
    }
    printf("| depth %d\n", m->top);
    free(m);
}

int main(void)
{
    static const int countdown[] = {PUSH, 5, DUP, PRINT, PUSH, 1, SUB, DUP, JNZ, 2, PRINT, HALT};
    static const int factorial[] = {PUSH, 1, PUSH, 10, DUP, PRINT, SWAP, PUSH, 3, MUL, SWAP,
                                    PUSH, 1, SUB, DUP, JNZ, 4, PRINT, PRINT, HALT};
    static const int division[] = {PUSH, 1000, PUSH, 7, DIV, DUP, PRINT, PUSH, 6, DIV, PRINT, HALT};
    run(countdown);
    run(factorial);
    run(division);
    return 0;
}
