// SPDX-License-Identifier: MIT OR Apache-2.0
int __VERIFIER_nondet_int(void);
int measure(int);
// Open obligations whose slices show where information is lost.
int limit = 10;
int table[10];

struct reading {
    int value;
    int weight;
};

static int capped(int x, int top) {
    if (x > top)
        return top;
    return x;
}

static int weighted(struct reading r) { return 100 / r.weight; }

/* An input, a loop that is widened, and a test that would bound the index. */
int filled(void) {
    int n = __VERIFIER_nondet_int();
    int unrelated = n * 0;
    int i;
    for (i = 0; i < n; i++)
        table[i] = unrelated;
    return i;
}

/* Through a call, a global and a function that is not here. */
int divided(void) {
    int m = measure(5);
    int q = capped(m, 100);
    limit = q + 1;
    table[0] = m;
    return 1000 / limit;
}

/* A join: neither value alone is out of bounds by much, and both are shown. */
int joined(int flag) {
    int z;
    if (flag)
        z = 20;
    else
        z = 4;
    return table[z];
}

/* A record that is passed by value, and a proved neighbour. */
int main(void) {
    struct reading r;
    r.value = 5;
    r.weight = measure(1);
    int safe = r.value + 1;
    weighted(r);
    filled();
    divided();
    joined(measure(2));
    return safe;
}
