// SPDX-License-Identifier: MIT OR Apache-2.0
// Digital filters: second order with resets, first order. The bounds are those that ellipses give in float (the table of
// paper 004 in NUMBERS) or closer ones; what stays open is below what a run reaches.
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

// Overflows where a bound is left; that ends no run, so that nothing rests on it.
static volatile float sink;

static float input(float most) {
    float t = __VERIFIER_nondet_float();
    return t >= -most && t <= most ? t : 0.0f;
}

static float x1, y1;
static void globals(void) {
    while (__VERIFIER_nondet_int()) {
        float next = 1.5f * x1 - 0.7f * y1 + input(1.0f);
        y1 = x1;
        x1 = next;
        sink = (x1 > 9.7369f || x1 < -9.7369f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow float-invalid
        sink = (x1 > 9.2f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

struct filter {
    int mode;
    float x, y;
};

static void step(struct filter *f, float t) {
    float s = 0.5f * f->x - 0.7f * f->y + t; // proved: float-overflow float-invalid
    f->y = f->x;
    f->x = s;
}

static struct filter f2;
static void behind_a_pointer(void) {
    while (__VERIFIER_nondet_int()) {
        step(&f2, input(1.0f));
        sink = (f2.x > 4.5626f || f2.y < -4.5626f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (f2.x > 4.3f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static void registers(void) {
    float x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        float old = x;
        x = 1.6f * x - 0.9f * y + input(1.0f);
        y = old;
        sink = (x > 24.795f || x < -24.795f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (x < -23.5f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static void array(void) {
    float s[3] = {0, 0, 0};
    while (__VERIFIER_nondet_int()) {
        float low = 1.8f * s[1];
        float high = 0.95f * s[2];
        s[0] = low - high + input(0.1f);
        for (int i = 2; i > 0; i--)
            s[i] = s[i - 1];
        sink = (s[0] > 6.9219f || s[1] < -6.9219f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (s[2] > 6.5f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static double x5, y5;
static void doubles(void) {
    while (__VERIFIER_nondet_int()) {
        double next = (double)input(1.0f) - 0.5 * y5;
        y5 = x5;
        x5 = next;
        sink = (x5 > 2.0001 ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (x5 > 1.99 ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static float x6, y6;
static void through_doubles(void) {
    while (__VERIFIER_nondet_int()) {
        float next = (float)(-0.8 * x6 - 0.4 * y6 + input(1.0f));
        y6 = x6;
        x6 = next;
        sink = (x6 > 2.7126f || x6 < -2.7126f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (x6 < -2.55f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static float x7, y7;
static void resets(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            y7 = input(0.5f);
            x7 = input(0.5f);
        } else {
            float next = 1.5f * x7 - 0.7f * y7 + input(0.25f);
            y7 = x7;
            x7 = next;
        }
        sink = (x7 > 3.454f || x7 < -3.454f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
    }
}

static float x8, y8;
static void resets_to_one_value(void) {
    while (__VERIFIER_nondet_int()) {
        float t = input(100.0f);
        if (__VERIFIER_nondet_int()) {
            x8 = t;
            y8 = t;
        } else {
            float next = 1.5f * x8 - 0.7f * y8 + 0.2f * t;
            y8 = x8;
            x8 = next;
        }
        sink = (x8 > 201.0f || x8 < -201.0f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
    }
}

static float xa, ya;
static void unstable(void) {
    while (__VERIFIER_nondet_int()) {
        float next = 1.5f * xa - 1.1f * ya + input(0.25f); // open: float-overflow
        ya = xa;
        xa = next;
        sink = (xa > 1000.0f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static float xb, yb;
static void changed_from_outside(void) {
    while (__VERIFIER_nondet_int()) {
        float next = 1.5f * xb - 0.7f * yb + input(0.25f);
        yb = xb;
        xb = next;
        if (__VERIFIER_nondet_int())
            xb = xb + 1.0f;
        sink = (xb > 5.0f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static float xc, yc;
static void forgets_the_copy(void) {
    while (__VERIFIER_nondet_int()) {
        float next = 1.5f * xc - 0.7f * yc + input(0.25f);
        yc = __VERIFIER_nondet_int() ? xc : -xc;
        xc = next;
        sink = (xc > 5.0f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

struct lag {
    float rate, state;
};

static void follow(struct lag *lag, float t) {
    lag->state = lag->state * (1.0f - lag->rate) + t * lag->rate; // proved: float-overflow float-invalid
}

static struct lag la, lb;
static void lags(void) {
    float z = 0;
    la.rate = 0.2f;
    lb.rate = 0.01f;
    while (__VERIFIER_nondet_int()) {
        follow(&la, input(100.0f));
        follow(&lb, input(7.0f));
        z = 0.9f * z + input(1.0f);
        sink = (la.state > 100.001f || lb.state < -7.001f || z > 10.0001f || z < -10.0001f ? 3e38f : 1.0f) * 2.0f; // proved: float-overflow
        sink = (la.state > 99.0f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
        sink = (z > 9.9f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

static float xd;
static void grows(void) {
    while (__VERIFIER_nondet_int()) {
        xd = 1.001f * xd + input(1.0f); // open: float-overflow
        sink = (xd > 1000.0f ? 3e38f : 1.0f) * 2.0f; // open: float-overflow
    }
}

int main(void) {
    globals();
    behind_a_pointer();
    registers();
    array();
    doubles();
    through_doubles();
    resets();
    resets_to_one_value();
    unstable();
    changed_from_outside();
    forgets_the_copy();
    lags();
    grows();
    return 0;
}
