// SPDX-License-Identifier: MIT OR Apache-2.0
// Handlers of interrupts run between any two operations: what they may write is anything to the rest.
// flags: --interrupt on_tick
static int count;
static int length = 4;
static int *place;
static int mine = 3;
static int shared[4];
static unsigned head, own;

struct pair { int a, b; };
static struct pair both;

static int two = 2;
static void bump(void)
{
    two++; // open: signed-overflow
}

void on_tick(void)
{
    count = count + 1; // open: signed-overflow
    length = 5;
    place = 0;
    both.b = 9;
    bump();
    if (head < 4)
        shared[head] = 1; // open: out-of-bounds
    if (own < 4)
        shared[own] = 1; // given: out-of-bounds
    own = 9;
    shared[mine] = 2; // open: out-of-bounds
}

void SysTick_Handler(void)
{
    head = 8;
}

int main(void)
{
    int a[8] = {0}, x = 1;
    struct pair copy;

    place = &x;
    count = 0;
    length = 4;
    mine = 3;
    both = (struct pair){1, 1};
    two = 2;
    a[mine] = 10 / mine; // proved: out-of-bounds division-by-zero
    a[length] = 1; // open: out-of-bounds
    if (length < 8)
        a[length] = 2; // open: out-of-bounds
    if (place)
        *place = 1; // open: null-deref
    if (count == 0)
        count = 100 / (count + 1); // open: division-by-zero
    copy = both;
    x = 10 / copy.b; // open: division-by-zero
    x = 10 / two; // open: division-by-zero
    int now = length;
    if (now >= 0 && now < 8)
        a[now] = 3; // given: out-of-bounds
    return 0;
}
