// SPDX-License-Identifier: MIT OR Apache-2.0
// A function that was handed over may lead to itself through code that is not here: the rest of the program is still proved.
void on_event(void (*function)(int));
void log_event(int what);
int next(void);

static int depth, table[4];

static void handle(int what)
{
    depth = what & 3;
    log_event(what);
    table[depth] = what; // given: out-of-bounds
}

static void loses(int what)
{
    int at = 0;
    depth = 3;
    log_event(what);
    if (depth == 3)
        at = 3;
    table[at + 1] = what; // undecided: out-of-bounds
}

int main(void)
{
    on_event(handle);
    on_event(loses);
    depth = 4;
    log_event(1);
    table[next() & 3] = 1; // given: out-of-bounds
    table[depth] = 1; // undecided: out-of-bounds
    return 0;
}
