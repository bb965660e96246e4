// SPDX-License-Identifier: MIT OR Apache-2.0
// A handler that is not understood leaves nothing proved.
// flags: --interrupt on_tick
static void (*action)(void);
static int divisor = 3;

void on_tick(void)
{
    if (action)
        action();
}

int main(void)
{
    return 10 / divisor; // open: division-by-zero
}
