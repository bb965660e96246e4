// SPDX-License-Identifier: MIT OR Apache-2.0
// Floats that drift by a factor a tick: bounded as long as the clock ticks. No main: each function is an entry.
// flags: --max-clock 36000000
int input(void);
void __clew_tick(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

static double drift, twice, restarted;

// (1 + 2^-23)^36,000,000 is 73.08.
void ten_hours(void)
{
    int whole;
    drift = 1.0;
    while (1) {
        drift = drift * (1.0 + 0x1p-23); // proved: float-overflow float-invalid
        whole = (int)(drift * 1000.0); // proved: float-to-int
        whole = 1 / (73100 - whole); // proved: division-by-zero
        __clew_tick();
    }
}

void in_a_register(void)
{
    double x = -1.0;
    int whole;
    while (1) {
        if (input())
            x = x * (1.0 + 0x1p-23); // proved: float-overflow
        if (input())
            x = 0.5;
        whole = (int)(x * 1000.0); // proved: float-to-int
        whole = 1 / (73100 - whole) + 1 / (73100 + whole); // proved: division-by-zero
        __clew_tick();
    }
}

// Twice a tick: 5341.
void two_a_tick(void)
{
    int whole;
    twice = 1.0;
    while (1) {
        twice = twice * (1.0 + 0x1p-23); // proved: float-overflow
        twice = twice * (1.0 + 0x1p-23); // proved: float-overflow
        whole = (int)twice; // proved: float-to-int
        whole = 1 / (5300 - whole); // open: division-by-zero
        whole = (int)twice; // proved: float-to-int
        whole = 1 / (5400 - whole); // proved: division-by-zero
        __clew_tick();
    }
}

// 36,000,000 times 0.01 and the rounding of each.
void sums(void)
{
    int whole;
    drift = 0.0;
    while (1) {
        if (input())
            drift = drift + 0.01; // proved: float-overflow
        whole = (int)drift; // proved: float-to-int
        whole = 1 / (361000 - whole); // proved: division-by-zero
        __clew_tick();
    }
}

void too_fast(void)
{
    restarted = 1.0;
    while (1) {
        restarted = restarted * 1.0001; // open: float-overflow
        __clew_tick();
    }
}

void without_a_tick(void)
{
    double x = 1.0;
    while (input()) {
        x = x * (1.0 + 0x1p-23); // open: float-overflow
    }
}

// First-order lags need no clock: |x| <= 1 / (1 - 0.9), up to rounding.
void lag(void)
{
    double x = 0.0, t;
    int whole;
    while (1) {
        t = input();
        if (t < -1.0 || t > 1.0)
            t = 0.0;
        x = 0.9 * x + t; // proved: float-overflow float-invalid
        whole = (int)(x * 1000000.0); // proved: float-to-int
        whole = 1 / (10000001 - whole) + 1 / (10000001 + whole); // proved: division-by-zero
    }
}

struct state {
    float rate, value;
};
static struct state slow;

static void step(struct state *s, float in)
{
    s->value = s->value * (1.0f - s->rate) + in * s->rate; // proved: float-overflow float-invalid
}

void lag_by_reference(void)
{
    int whole, in;
    slow.rate = 0.25f;
    slow.value = 3.0f;
    while (1) {
        in = input();
        if (in < -7 || in > 7)
            in = 0;
        step(&slow, (float)in);
        whole = (int)(slow.value * 1000.0f); // proved: float-to-int
        whole = 1 / (7001 - whole); // proved: division-by-zero
    }
}

// The factor is one or more: there is no bound.
void grows(void)
{
    double x = 1.0;
    while (1)
        x = x * 1.5 + 1.0; // open: float-overflow
}
