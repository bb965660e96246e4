// Calls that look the same and are not: what they draw, what the walk has not followed, what lives elsewhere.
#include <assert.h>
#include <time.h>
extern int nondet_int(void);

static int table[4];

static unsigned is_odd_one(unsigned x) {
    return x * 2654435761u == 0x12345677u;
}

static long spread(void) {
    long t = clock(), sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (t >> i) & 7;
    return sum;
}

// The clock goes on between the calls.
static void clocks(unsigned x) {
    spread();
    long start = spread(), later = spread();
    if (later != start && is_odd_one(x))
        table[x | 4] = 1; // undecided: out-of-bounds
}

static int tenth(char *s, unsigned y) {
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += i & 1;
    n = s[9] == 'Z';
    assert(!(n & is_odd_one(y))); // open: assertion
    return n;
}

static int first_and_tenth(char *s, unsigned y) {
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += i & 1;
    n += s[0];
    return tenth(s, y);
}

// What is read of an argument is followed to some depth, in every call again.
static void texts(char *s) {
    unsigned x = nondet_int(), y = nondet_int();
    if (x * x % 4 != 2) {
        tenth(s, y);
    } else {
        first_and_tenth(s, y);
        first_and_tenth(s, y);
        first_and_tenth(s, y);
    }
}

int main(int argc, char **argv) {
    if (argc == 2)
        texts(argv[1]);
    else
        clocks(nondet_int());
    return 0;
}
