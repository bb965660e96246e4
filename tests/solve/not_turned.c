// Loops whose turns do more than the first of them shows.
extern int nondet_int(void);
extern unsigned nondet_uint(void);
extern void __VERIFIER_error(void);

// In the third turn it leads to the object that is too small.
static int small[2], large[8];

static void third_turn(void) {
    int *p = large;
    unsigned turns = 0;
    while (nondet_int()) {
        p[5] = 1; // violated: out-of-bounds
        turns = turns + (turns < 3);
        p = turns == 2 ? small : large;
    }
}

// What looks like one case of two, put there anew, is a change.
static void put_anew(void) {
    unsigned a = 1, b = 1, *p = nondet_int() ? &a : &b;
    while (nondet_int()) {
        *p = 7;
        if (a == 7 && b == 7)
            __VERIFIER_error(); // violated: error-call
        p = &a;
    }
}

// Where it led in the last turn is kept in memory.
static void kept(void) {
    int *where[2] = {large, small};
    while (nondet_int()) {
        int *last = where[0];
        last[3] = 1; // violated: out-of-bounds
        if (nondet_int())
            where[0] = where[1];
    }
}

// The inner loop changes what the outer one only reads.
static void nested(void) {
    struct {
        unsigned x, y;
    } pair = {1, 1};
    while (nondet_int()) {
        unsigned *p = nondet_int() ? &pair.x : &pair.y;
        while (nondet_int())
            *p = *p * 3;
        if (pair.x == 9 && pair.y == 27)
            __VERIFIER_error(); // violated: error-call
    }
}

int main(void) {
    switch (nondet_int()) {
    case 0: third_turn(); break;
    case 1: put_anew(); break;
    case 2: kept(); break;
    case 3: nested(); break;
    }
    return 0;
}
