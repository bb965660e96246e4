// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs that leave a search in different turns, and values that the program asks to keep apart. No main.
float input(void);
int choice(void);
void __clew_partition(long value);
void __clew_merge(void);

static const float xs[4] = {0.0f, 1.0f, 3.0f, 7.0f};
static const float slope[3] = {10.0f, 2.0f, 0.5f};
static const float ys[3] = {0.0f, 10.0f, 14.0f};

int interpolates(void)
{
    float x = input(), y;
    int i = 0;
    if (!(x >= 0.0f && x <= 7.0f))
        return 0;
    while (i < 2 && x >= xs[i + 1])
        i++;
    y = ys[i] + (x - xs[i]) * slope[i];
    if (choice())
        return 1 / (17 - (int)y); // proved: division-by-zero
    // One table is for other numbers: the values do not belong together.
    y = ys[i] + (x - xs[2 - i]) * slope[i];
    return 1 / (17 - (int)y); // open: division-by-zero
}

// The index goes on to be used: still apart.
int late(void)
{
    float x = input(), width;
    int i = 0, n = 0;
    if (!(x >= 0.0f && x <= 7.0f))
        return 0;
    while (i < 2 && x >= xs[i + 1])
        i++;
    if (x > 2.0f)
        n = 1;
    width = xs[i + 1] - xs[i];
    return n + (int)((x - xs[i]) / width); // proved: float-division-by-zero float-to-int
}

static const int parts[4] = {2, 5, 11, 30};
static const int wholes[4] = {3, 6, 12, 31};

// Two tables by one index of few values.
int together(void)
{
    int k = choice() & 3, difference;
    difference = wholes[k] - parts[k];
    return 1 / difference; // proved: division-by-zero
}

// By two.
int by_two(void)
{
    int k = choice() & 3, l = choice() & 3, difference;
    difference = wholes[k] - parts[l];
    return 1 / difference; // open: division-by-zero
}

static int twice(int k)
{
    return 2 * parts[k];
}

int asked(void)
{
    int k = choice() & 3, difference;
    __clew_partition(k);
    difference = 2 * wholes[k] - twice(k);
    return 1 / difference; // proved: division-by-zero
}

int not_asked(void)
{
    int k = choice() & 3, difference;
    difference = 2 * wholes[k] - twice(k) + choice() % 2;
    return 1 / difference; // open: division-by-zero
}

int merged(void)
{
    int k = choice() & 3, difference;
    __clew_partition(k);
    __clew_merge();
    difference = 2 * wholes[k] - twice(k) + choice() % 2;
    return 1 / difference; // open: division-by-zero
}

// One of two things holds behind the loop, and no more than that.
int either(void)
{
    int x = choice(), z = choice();
    if (x < -100 || x > 200 || z < 100 || z > 200)
        return 0;
    while (x < 100 && z > 100) {
        if (choice())
            x++;
        else
            z--;
    }
    if (x >= 100 || z <= 100)
        return x < 101 && z > 100 ? 1 / (x - 100) : 1; // open: division-by-zero
    return 1 / (x - x); // unreachable: division-by-zero
}

// Either no turn was made, or `last` is below `n`.
int last_of_some(int n)
{
    int last = 0, i;
    for (i = 0; i < n; i++)
        if (choice())
            last = i;
    if (n <= 0 || last < n)
        return 1;
    return 1 / (i - i); // unreachable: division-by-zero
}
