// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that every program shares: declarations, operators that modules call by reference, and the two sides of
//! the inputs, one for verifiers and one that draws them at random.

/// The names of all.
pub const HEADER: &str = "\
#ifndef SYSTEM_H
#define SYSTEM_H

/* Inputs: anything between the two bounds. */
int input_int(int lo, int hi);
float input_float(float lo, float hi);

/* Waits for the next tick of the clock; there are at most 36,000,000 of them (ten hours at 1 kHz). */
void __clew_tick(void);

/* A first-order lag. */
struct lag {
    float rate;
    float state;
};

/* A measurement with its limits. */
struct channel {
    int lo;
    int hi;
    int value;
    int ok;
    int failures;
};

float clamp_float(float value, float lo, float hi);
int clamp_int(int value, int lo, int hi);
float middle(float a, float b, float c);
void lag_step(struct lag *lag, float in, float *out);
float interpolate(const float *xs, const float *ys, int n, float x);
void channel_start(struct channel *channels, int n, int lo, int hi);
void channel_update(struct channel *channel, int raw);

#endif
";

/// The operators that are called by reference.
pub const OPERATORS: &str = "\
#include \"system.h\"

float clamp_float(float value, float lo, float hi)
{
    if (value < lo)
        return lo;
    if (value > hi)
        return hi;
    return value;
}

int clamp_int(int value, int lo, int hi)
{
    if (value < lo)
        return lo;
    if (value > hi)
        return hi;
    return value;
}

float middle(float a, float b, float c)
{
    if (a > b) {
        float t = a;
        a = b;
        b = t;
    }
    if (c < a)
        return a;
    if (c > b)
        return b;
    return c;
}

void lag_step(struct lag *lag, float in, float *out)
{
    lag->state = lag->state * (1.0f - lag->rate) + in * lag->rate;
    *out = lag->state;
}

float interpolate(const float *xs, const float *ys, int n, float x)
{
    int i;
    float width;
    if (x <= xs[0])
        return ys[0];
    for (i = 1; i < n; i = i + 1) {
        if (x < xs[i]) {
            width = xs[i] - xs[i - 1];
            return ys[i - 1] + (x - xs[i - 1]) / width * (ys[i] - ys[i - 1]);
        }
    }
    return ys[n - 1];
}

void channel_start(struct channel *channels, int n, int lo, int hi)
{
    int i;
    for (i = 0; i < n; i = i + 1) {
        channels[i].lo = lo;
        channels[i].hi = hi;
        channels[i].value = 0;
        channels[i].ok = 1;
        channels[i].failures = 0;
    }
}

void channel_update(struct channel *channel, int raw)
{
    if (raw < channel->lo || raw > channel->hi) {
        if (channel->failures < 10)
            channel->failures = channel->failures + 1;
    } else {
        channel->value = raw;
        if (channel->failures > 0)
            channel->failures = channel->failures - 1;
    }
    channel->ok = channel->failures < 5;
}
";

/// The inputs as verifiers see them.
pub const NONDETERMINISTIC: &str = "\
#include \"system.h\"

int __VERIFIER_nondet_int(void);
float __VERIFIER_nondet_float(void);
void __VERIFIER_assume(int condition);

int input_int(int lo, int hi)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= lo && value <= hi);
    return value;
}

float input_float(float lo, float hi)
{
    float value = __VERIFIER_nondet_float();
    __VERIFIER_assume(value == value); /* a NaN would make the tests below raise an exception */
    __VERIFIER_assume(value >= lo && value <= hi);
    return value;
}

void __clew_tick(void)
{
}
";

/// The inputs of a simulation; what writes the ports follows it.
pub const RANDOM: &str = "\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include \"system.h\"

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state >> 11;
}

int input_int(int lo, int hi)
{
    return lo + (int)(draw() % (uint64_t)(hi - lo + 1));
}

float input_float(float lo, float hi)
{
    return lo + (hi - lo) * (float)(draw() % 1000001u) / 1000000.0f;
}
";
