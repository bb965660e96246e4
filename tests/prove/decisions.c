// SPDX-License-Identifier: MIT OR Apache-2.0
// Decision trees: what flags decide on, in memory and in registers, across statements, calls and turns of loops. No main.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);

static int input(int lo, int hi) {
    int n = __VERIFIER_nondet_int();
    return n < lo || n > hi ? lo : n;
}

// A comparison that is stored, and tested after other statements.
static int k1, zero1, other1, ratio1;
void stored(void) {
    k1 = input(-9, 9);
    zero1 = k1 == 0;
    other1 = input(0, 100);
    if (!zero1)
        ratio1 = 52 / k1; // proved: division-by-zero
    if (zero1)
        ratio1 = 52 / k1; // open: division-by-zero
}

// The flag is stale: the value has changed since.
static int k2, zero2;
void stale(void) {
    k2 = input(-9, 9);
    zero2 = k2 == 0;
    k2 = input(-9, 9);
    if (!zero2)
        ratio1 = 52 / k2; // open: division-by-zero
}

// Set in one function, tested in another, used in a third.
static int k3, zero3;
static void use3(void) {
    ratio1 = 52 / k3; // proved: division-by-zero
}
static void test3(void) {
    if (!zero3)
        use3();
}
static void set3(void) {
    zero3 = k3 == 0;
}
void calls(void) {
    while (__VERIFIER_nondet_int()) {
        k3 = input(-9, 9);
        set3();
        other1 = input(0, 50);
        test3();
    }
}

// The same, but a call in between may change the value.
static int k4, zero4;
static void change4(int *p) {
    *p = input(-3, 3);
}
void through_a_pointer(void) {
    k4 = input(-9, 9);
    zero4 = k4 == 0;
    change4(&k4);
    if (!zero4)
        ratio1 = 52 / k4; // open: division-by-zero
}

// The flag itself is written through a pointer.
static int k5, zero5;
void flag_through_a_pointer(void) {
    k5 = input(-9, 9);
    zero5 = k5 == 0;
    if (__VERIFIER_nondet_int())
        change4(&zero5);
    if (!zero5)
        ratio1 = 52 / k5; // open: division-by-zero
}

// One of two objects is written: both may be.
static int k6, zero6, k7;
void one_of_two(void) {
    k6 = input(-9, 9);
    zero6 = k6 == 0;
    int *p = __VERIFIER_nondet_int() ? &k6 : &k7;
    *p = input(-3, 3);
    if (!zero6)
        ratio1 = 52 / k6; // open: division-by-zero
}

// Branches that leave a flag and a value.
static int mode8, size8;
void branches(void) {
    if (__VERIFIER_nondet_int()) {
        mode8 = 1;
        size8 = 10;
    } else {
        mode8 = 0;
        size8 = 0;
    }
    other1 = input(0, 3);
    if (mode8)
        ratio1 = 100 / size8; // proved: division-by-zero
    if (!mode8)
        ratio1 = 100 / (size8 - 10); // proved: division-by-zero
    if (mode8)
        ratio1 = 100 / (size8 - 10); // open: division-by-zero
}

// The test of a flag comes first, and again.
static int b9, x9;
void twice(void) {
    b9 = input(0, 1);
    if (b9)
        x9 = 1;
    else
        x9 = 0;
    other1 = input(0, 3);
    if (b9)
        ratio1 = 7 / x9; // proved: division-by-zero
    else
        ratio1 = 7 / x9; // open: division-by-zero
}

// A machine: the state says what the counter may be, over all turns.
static int state10, count10;
void machine(void) {
    state10 = 0;
    count10 = 0;
    while (__VERIFIER_nondet_int()) {
        if (state10 == 0) {
            if (__VERIFIER_nondet_int()) {
                state10 = 1;
                count10 = 5;
            }
        } else if (state10 == 1) {
            ratio1 = 100 / count10; // proved: division-by-zero
            count10 = count10 - 1;
            if (count10 == 0)
                state10 = 2;
        } else {
            ratio1 = 100 / count10; // open: division-by-zero
            state10 = 0;
        }
    }
}

// A machine whose counter runs out before the state changes.
static int state11, count11;
void broken_machine(void) {
    state11 = 0;
    count11 = 0;
    while (__VERIFIER_nondet_int()) {
        if (state11 == 0) {
            if (__VERIFIER_nondet_int()) {
                state11 = 1;
                count11 = 5;
            }
        } else {
            ratio1 = 100 / count11; // open: division-by-zero
            count11 = count11 - 1;
            if (count11 < 0)
                state11 = 0;
        }
    }
}

// A value that is set once.
static int ready12, scale12;
void once(void) {
    ready12 = 0;
    while (__VERIFIER_nondet_int()) {
        if (!ready12) {
            scale12 = input(1, 4);
            ready12 = 1;
        }
        ratio1 = 100 / scale12; // proved: division-by-zero
    }
}

static int ready13, scale13;
void not_yet(void) {
    ready13 = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            scale13 = input(1, 4);
            ready13 = 1;
        }
        if (ready13)
            ratio1 = 100 / scale13; // proved: division-by-zero
        else
            ratio1 = 100 / scale13; // open: division-by-zero
    }
}

// Pointers: null, or not.
static int cell14, ok14;
static int *p14;
void pointer(void) {
    p14 = __VERIFIER_nondet_int() ? &cell14 : 0;
    ok14 = p14 != 0;
    other1 = input(0, 3);
    if (ok14)
        *p14 = 1; // proved: null-deref
    if (!ok14)
        *p14 = 1; // open: null-deref
}

static int *p15;
static int ok15;
void stale_pointer(void) {
    p15 = __VERIFIER_nondet_int() ? &cell14 : 0;
    ok15 = p15 != 0;
    if (__VERIFIER_nondet_int())
        p15 = 0;
    if (ok15)
        *p15 = 1; // open: null-deref
}

// Truths put together of others.
static int a16, b16, small16, large16, both16;
void together(void) {
    a16 = input(-50, 50);
    small16 = a16 > 0;
    large16 = a16 < 10;
    both16 = small16 && large16;
    other1 = input(0, 3);
    if (both16) {
        ratio1 = 7 / a16;        // proved: division-by-zero
        ratio1 = 7 / (a16 - 10); // proved: division-by-zero
        ratio1 = 7 / (a16 - 5);  // open: division-by-zero
    }
    if (small16 && !large16)
        ratio1 = 7 / (a16 - 9); // proved: division-by-zero
    if (small16 || large16)
        ratio1 = 7 / a16; // open: division-by-zero
}

// Copies and negations of flags.
static int k17, zero17, copy17, not17;
void copied(void) {
    k17 = input(-9, 9);
    zero17 = k17 == 0;
    copy17 = zero17;
    zero17 = input(0, 1);
    not17 = !copy17;
    other1 = input(0, 3);
    if (not17)
        ratio1 = 7 / k17; // proved: division-by-zero
    if (!zero17)
        ratio1 = 7 / k17; // open: division-by-zero
}

// Two flags decide together.
static int a18, b18, x18;
void two(void) {
    a18 = input(0, 1);
    b18 = input(0, 1);
    if (a18) {
        if (b18)
            x18 = 0;
        else
            x18 = 1;
    } else {
        x18 = 2;
    }
    other1 = input(0, 3);
    if (!(a18 && b18))
        ratio1 = 7 / x18; // proved: division-by-zero
    if (a18 || b18)
        ratio1 = 7 / x18; // open: division-by-zero
}

// Members of records, behind pointers too.
struct part {
    int valid;
    int size;
    double share;
};
static struct part part19;
static void fill(struct part *p) {
    p->size = input(0, 100);
    p->valid = p->size > 0;
}
static void consume(struct part *p) {
    if (p->valid)
        ratio1 = 100 / p->size; // proved: division-by-zero
    else
        ratio1 = 100 / (p->size + 1); // proved: division-by-zero
}
void records(void) {
    while (__VERIFIER_nondet_int()) {
        fill(&part19);
        consume(&part19);
    }
}

static struct part part20;
void records_changed(void) {
    fill(&part20);
    part20.size = part20.size - 1;
    if (part20.valid)
        ratio1 = 100 / part20.size; // open: division-by-zero
}

// Floats: NaN passes neither test.
static double d21;
static int positive21, other21;
void floats(void) {
    d21 = __VERIFIER_nondet_double();
    positive21 = d21 > 0.5 && d21 < 100.0;
    other21 = d21 <= 0.5;
    other1 = input(0, 3);
    if (positive21)
        ratio1 = (int)d21; // proved: float-to-int
    if (!other21)
        ratio1 = (int)(d21 * 0.0); // open: float-invalid
}

// A flag in a register decides on memory.
static int k22;
void in_a_register(void) {
    k22 = input(-9, 9);
    int zero = k22 == 0;
    other1 = input(0, 3);
    if (!zero)
        ratio1 = 52 / k22; // proved: division-by-zero
    k22 = input(-9, 9);
    if (!zero)
        ratio1 = 52 / k22; // open: division-by-zero
}

// A flag in memory decides on a register, and whether it was assigned.
static int have23;
void of_a_register(void) {
    int n;
    have23 = 0;
    if (__VERIFIER_nondet_int()) {
        n = input(1, 9);
        have23 = 1;
    }
    other1 = input(0, 3);
    if (have23)
        ratio1 = 52 / n; // proved: division-by-zero uninitialised-read
    else
        ratio1 = n; // open: uninitialised-read
}

// The flag is of the turn before.
static int k24, zero24;
void last_turn(void) {
    zero24 = 1;
    while (__VERIFIER_nondet_int()) {
        if (!zero24)
            ratio1 = 52 / k24; // proved: division-by-zero
        k24 = input(-9, 9);
        if (!zero24)
            ratio1 = 52 / k24; // open: division-by-zero
        zero24 = k24 == 0;
    }
}

// A switch.
enum kind { NONE, SMALL, LARGE };
static enum kind kind25;
static int n25;
void kinds(void) {
    n25 = input(0, 100);
    kind25 = n25 == 0 ? NONE : n25 < 10 ? SMALL : LARGE;
    other1 = input(0, 3);
    switch (kind25) {
    case NONE:
        ratio1 = 7 / (n25 - 1); // proved: division-by-zero
        break;
    case SMALL:
        ratio1 = 7 / n25; // proved: division-by-zero
        ratio1 = 7 / (n25 - 10); // proved: division-by-zero
        break;
    case LARGE:
        ratio1 = 7 / (n25 - 9); // proved: division-by-zero
        ratio1 = 7 / (n25 - 10); // open: division-by-zero
        break;
    }
}
