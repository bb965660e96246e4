// SPDX-License-Identifier: MIT OR Apache-2.0
// Compilers for small machines have their own names for the attribute of a handler.
static int ticks = 1, timers = 1, bytes = 1, own = 1;

__attribute__((interrupt("IRQ"))) void on_tick(void)
{
    ticks = 0;
}

void on_timer(void) __attribute__((signal, used));
void on_timer(void)
{
    timers = 0;
}

void __attribute__((__isr__)) on_byte(void)
{
    bytes = 0;
}

// No handler: the word is an argument of another attribute.
__attribute__((section("interrupt"))) void section(void)
{
    own = 0;
}

int main(void)
{
    int d = 10 / own; // proved: division-by-zero
    int a = 10 / ticks; // open: division-by-zero
    int b = 10 / timers; // open: division-by-zero
    int c = 10 / bytes; // open: division-by-zero

    return a + b + c + d;
}
