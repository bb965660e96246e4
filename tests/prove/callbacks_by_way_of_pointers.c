// SPDX-License-Identifier: MIT OR Apache-2.0
// A static object that a global of another file leads to is seen there, and so are the functions that are put into it later.
struct device {
    int (*read)(int);
    struct device *next;
};

extern struct device *devices;
void run(void);

static struct device own;
static int table[4];

static int reads(int n)
{
    return table[n]; // undecided: out-of-bounds
}

int main(void)
{
    devices = &own;
    own.read = reads;
    run();
    return 0;
}
