// SPDX-License-Identifier: MIT OR Apache-2.0
// Volatile variables without a value that nothing here writes come from outside: every read is an input.
volatile unsigned char channel;
extern const volatile double temperature;
static volatile short steps;
/* These hold what the program puts there. */
volatile int counter;
volatile int one = 1;

static const int table[200];

static int of_channel(void)
{
    return table[channel]; // violated: out-of-bounds
}

static int of_difference(void)
{
    const short first = steps, second = steps;

    if (first == 300 && second == 299)
        return 1 / (first - second - 1); // violated: division-by-zero
    return 0;
}

static int of_temperature(void)
{
    const double now = temperature;

    if (now > 41.5 && now < 41.75)
        return table[(int)now * 5]; // violated: out-of-bounds
    return 0;
}

int main(void)
{
    counter = 1;
    switch (channel) {
    case 1:
        return of_channel();
    case 2:
        return of_difference();
    case 3:
        return of_temperature();
    }
    return 1 / one + 1 / counter;
}
