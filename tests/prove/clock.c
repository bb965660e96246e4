// SPDX-License-Identifier: MIT OR Apache-2.0
// Counters of events under a clock. No main: each function is an entry.
// flags: --max-clock 36000000
int input(void);
void __clew_tick(void);

static int total, twice, down, reset, signed_steps;
struct counters {
    int spare;
    int events;
};
static struct counters here;

void events(void)
{
    total = 0;
    while (1) {
        if (input())
            total = total + 1; // proved: signed-overflow
        __clew_tick();
    }
}

void in_registers(void)
{
    int count = 0, late = 5;
    for (;;) {
        if (input())
            count++; // proved: signed-overflow
        if (input())
            late = count + 3; // proved: signed-overflow
        late++; // proved: signed-overflow
        __clew_tick();
    }
}

static void note(struct counters *to)
{
    if (input())
        to->events++; // proved: signed-overflow
}

void by_reference(void)
{
    here.events = 0;
    while (1) {
        note(&here);
        __clew_tick();
    }
}

void backwards(void)
{
    down = 100;
    reset = 0;
    signed_steps = 0;
    while (1) {
        down = down - 2; // proved: signed-overflow
        reset++; // proved: signed-overflow
        if (input())
            reset = 7;
        if (input())
            signed_steps += 1; // proved: signed-overflow
        else
            signed_steps -= 1; // proved: signed-overflow
        __clew_tick();
    }
}

// The clock ticks on one of the ways only.
void not_always(void)
{
    int n = 0;
    while (1) {
        n++; // open: signed-overflow
        if (input())
            __clew_tick();
    }
}

void never(void)
{
    int n = 0;
    while (input())
        n++; // open: signed-overflow
}

// Sixty a turn: 60 * 36,000,000 is more than an int holds; 59 times is not.
void too_fast(void)
{
    twice = 0;
    total = 0;
    while (1) {
        twice += 60; // open: signed-overflow
        total += 59; // proved: signed-overflow
        __clew_tick();
    }
}

void inner_loop(void)
{
    int n = 0;
    while (1) {
        for (int i = 0; i < input(); i++)
            n++; // open: signed-overflow
        __clew_tick();
    }
}

// What is added is not bounded.
void by_input(void)
{
    int n = 0;
    while (1) {
        n += input(); // open: signed-overflow
        __clew_tick();
    }
}

static void waits(void)
{
    if (input())
        __clew_tick();
}

void ticks_below(void)
{
    int n = 0;
    while (1) {
        n++; // open: signed-overflow
        waits();
    }
}
