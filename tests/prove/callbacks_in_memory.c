// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that code elsewhere finds in memory that it sees: in globals that others name, in what it was handed before,
// behind pointers that come from it, and in what leads on from there.
#include <stdlib.h>

struct device {
    int (*read)(int);
    void (*done)(void);
    struct device *next;
};

extern struct device *devices; // of another file
extern struct device slots[2];
int (*hook)(int); // others may name it
const struct device api;

void run(void);
void attach(struct device *);
struct device *find(int);

static int table[4];
static int finished;

static int at_hook(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int at_list(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int at_slot(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int attached(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int found(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int copied(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int in_table(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static int behind_the_next(int n)
{
    return table[n]; // undecided: out-of-bounds
}

static void done(void)
{
    finished = 1;
}

const struct device api = {in_table, 0, 0};
static struct device late, older, template;

static void on_heap(void)
{
    struct device *device = malloc(sizeof *device);
    if (!device)
        return;
    device->next = 0;
    attach(device);
    device->read = behind_the_next;
    run();
    free(device);
}

int main(void)
{
    hook = at_hook;
    older.read = at_list;
    late.next = &older;
    devices = &late;
    slots[1].read = at_slot;
    run();
    struct device mine = {0, 0, 0};
    attach(&mine);
    mine.read = attached;
    mine.done = done;
    finished = 0;
    run();
    table[4 * finished] = 1; // undecided: out-of-bounds
    find(3)->read = found;
    template.read = copied;
    slots[0] = template;
    run();
    on_heap();
    return 0;
}
