// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of nothing but digital filters and lags in a loop: steps, resets, copies, calls, and the things that end what
//! is known of a filter: a copy that is left out or comes from elsewhere, a write through a pointer that may point to one of
//! several, one through another type, a record that is copied over, another filter on the same state.
//!
//! Inputs are mostly at one of their ends, and often chosen against the state, so that runs come near the bounds; what
//! is said at the heads of the loops is compared with every run.

use super::Generator;

/// What all of these programs share. `T` is the type of the states.
const GLOBALS: &str = "\
struct state { int mode; T x, y, z; };
T gx, gy, gz;
T ga[4];
struct state gs, gt;
volatile T sink;
";

const HELPERS: &str = "\
static void step(T *x, T *y, T t) { T n = A * *x - B * *y + t; *y = *x; *x = n; }
static void advance(struct state *s, T t) { T n = A * s->x - B * s->y + K * t; s->y = s->x; s->x = n; }
static void reset(struct state *s, T t) { s->x = t; s->y = t; }
static void follow(struct state *s, T t, T rate) { s->z = s->z * ((T)1 - rate) + t * rate; }
static void settle(void) { for (int k = 0; k < 6; k++) { T n = A * gx - B * gy; gy = gx; gx = n; } }
static void maybe(T *x, T t) { if (__VERIFIER_nondet_bool()) *x = t; }
static T clamp(T x, T low, T high) { return x < low ? low : x > high ? high : x; }
";

/// Coefficients; the last few are those of filters that grow.
const FILTERS: [(&str, &str); 12] = [
    ("1.5", "0.7"),
    ("0.5", "0.7"),
    ("1.6", "0.9"),
    ("1.8", "0.95"),
    ("0.0", "0.5"),
    ("-0.8", "0.4"),
    ("0.75", "0.125"),
    ("1.2", "-0.1"),
    ("-1.9", "0.97"),
    ("1.5", "1.02"),
    ("2.0", "0.99"),
    ("1.01", "0.0"),
];

/// The floats that programs have; `X`, `Y` and `U`, `V` are two pairs that belong together.
const FLOATS: [&str; 14] =
    ["X", "Y", "X", "Y", "U", "V", "gx", "gy", "gz", "ga[0]", "ga[1]", "gt.x", "p->x", "p->y"];

/// Places that belong together, and those that stand for them where an address is taken.
const PAIRS: [(&str, &str, &str, &str); 8] = [
    ("gx", "gy", "gx", "gy"),
    ("gx", "gz", "gx", "gz"),
    ("ga[0]", "ga[1]", "ga[0]", "ga[1]"),
    ("gs.x", "gs.y", "gs.x", "gs.y"),
    ("gt.x", "gt.y", "gt.x", "gt.y"),
    ("p->x", "p->y", "p->x", "p->y"),
    ("h->x", "h->y", "h->x", "h->y"),
    ("lx", "ly", "ls.x", "ls.y"),
];

/// A program of filters.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0xf117_e250);
    generator.filters_unit();
    generator.text
}

impl Generator {
    fn filters_unit(&mut self) {
        let ty = self.pick(&["float", "float", "double"]);
        let suffix = if ty == "float" { "f" } else { "" };
        self.line(format!("#define T {ty}"));
        for (a, b) in [("A", "B"), ("A2", "B2")] {
            let stable = if self.chance(85) { 9 } else { FILTERS.len() };
            let (x, y) = FILTERS[self.rng.usize(0..stable)];
            self.line(format!("#define {a} {x}{suffix}\n#define {b} {y}{suffix}"));
        }
        for (x, y) in [("X", "Y"), ("U", "V")] {
            let (p, q, r, s) = self.pick(&PAIRS);
            self.line(format!("#define {x} {p}\n#define {y} {q}\n#define A{x} {r}\n#define A{y} {s}"));
        }
        let scale = self.pick(&["0.2", "1.0", "3.0"]);
        self.line(format!(
            "#define K {scale}{suffix}\n#define HUGE_ {}",
            if ty == "float" { "3e38f" } else { "1.7e308" }
        ));
        self.text.push_str(GLOBALS);
        self.text.push_str(HELPERS);
        self.block("int main(void)", Generator::filters_main, "");
    }

    fn filters_main(&mut self) {
        self.line("T lx = 0, ly = 0; struct state ls = {0};");
        self.line("struct state *h = malloc(sizeof *h); if (!h) return 0;");
        self.line("*h = ls;");
        let alias = self.pick(&["&gs", "&gt", "&ls", "__VERIFIER_nondet_bool() ? &gs : &gt"]);
        self.line(format!("struct state *p = {alias};"));
        let turns = self.rng.u32(8..70);
        // A known number of turns is unrolled; otherwise an invariant is sought.
        let turns = if self.chance(25) { turns.to_string() } else { "turns".to_owned() };
        self.line("int turns = 5 + (__VERIFIER_nondet_int() & 63);");
        let most = self.pick(&["1", "0.25", "100"]);
        self.block(
            &format!("for (int i = 0; i < {turns}; i++)"),
            |g| {
                let toward = g.filter_float();
                let input = match g.rng.u32(0..4) {
                    0 => format!("__VERIFIER_nondet_bool() ? {most} : -{most}"),
                    1 => format!("({toward} > 0) ? {most} : -{most}"),
                    2 => format!("({toward} > gy) ? {most} : -{most} / 2"),
                    _ => format!("(T)(__VERIFIER_nondet_int() % 101) * {most} / 100"),
                };
                g.line(format!("T t = {input};"));
                for _ in 0..g.rng.u32(1..4) {
                    g.filter_statement(2);
                }
                if g.chance(50) {
                    g.filter_check();
                }
            },
            "",
        );
        self.line("free(h); return 0;");
    }

    fn filter_float(&mut self) -> &'static str {
        self.pick(&FLOATS)
    }

    fn filter_pair(&mut self) -> (&'static str, &'static str) {
        let (x, y) = self.pick(&[("X", "Y"), ("X", "Y"), ("U", "V")]);
        // Now and then two that do not belong together.
        if self.chance(8) { (x, self.filter_float()) } else { (x, y) }
    }

    fn filter_statement(&mut self, depth: u32) {
        let (x, y) = self.filter_pair();
        match self.rng.u32(0..30) {
            0..=7 => self.filter_step(x, y),
            8 => {
                let (x, y) = (addressable(x), addressable(y));
                self.line(format!("step(&{x}, &{y}, t);"));
            }
            9..=10 => {
                let state = self.pick(&["&gs", "&gt", "p", "h", "&ls"]);
                self.line(format!("advance({state}, t);"));
            }
            11 => {
                let state = self.pick(&["&gs", "&gt", "p", "h", "&ls"]);
                self.line(format!("reset({state}, t);"));
            }
            12 => {
                let state = self.pick(&["&gs", "&gt", "p", "h"]);
                let rate = self.pick(&["0.2", "0.01", "0.9", "1.5"]);
                self.line(format!("follow({state}, t, {rate});"));
            }
            13 => self.line(format!("{x} = t; {y} = t;")),
            14 => self.line(format!("{x} = t; {y} = -t;")),
            15 => {
                let by = self.pick(&["0.9", "0.5", "-0.7", "0.999", "1.001"]);
                self.line(format!("{x} = (T){by} * {x} + t;"));
            }
            16 => self.line(format!("{{ T swap = {x}; {x} = {y}; {y} = swap; }}")),
            17 => self.line(format!("{x} = clamp({x}, -50, 50);")),
            18 => self.filter_disturbance(x),
            20 => {
                // The same call twice, from states that differ only in whether two places are equal.
                let (first, second) = self.pick(&[("v", "w"), ("w", "v"), ("v", "-w")]);
                self.line(
                    "{ T v = (T)(__VERIFIER_nondet_int() % 101), w = (T)(__VERIFIER_nondet_int() % 101);",
                );
                self.line(format!("gx = v; gy = {first}; settle();"));
                self.line(format!("gx = v; gy = {second}; settle(); }}"));
            }
            19 => {
                let z = self.filter_float();
                self.line(format!("{z} = {x};"));
            }
            21 if depth > 0 => {
                let turns = self.rng.u32(2..5);
                self.block(
                    &format!("for (int k = 0; k < {turns}; k++)"),
                    |g| g.filter_statement(depth - 1),
                    "",
                );
            }
            _ if depth > 0 => {
                let condition =
                    self.pick(&["__VERIFIER_nondet_bool()", "i & 1", "t > 0", "gx > gy", "i < 5"]);
                self.block(&format!("if ({condition})"), |g| g.filter_statement(depth - 1), "");
                self.block("else", |g| g.filter_statement(depth - 1), "");
            }
            _ => self.filter_step(x, y),
        }
    }

    fn filter_step(&mut self, x: &str, y: &str) {
        let (a, b) = if self.chance(85) { ("A", "B") } else { ("A2", "B2") };
        let copied = if self.mistake() { self.filter_float() } else { x };
        match self.rng.u32(0..4) {
            0 => self.line(format!("{{ T old = {x}; {x} = {a} * {x} - {b} * {y} + t; {y} = old; }}")),
            1 => self.line(format!(
                "{{ T u = {a} * {x}, v = {b} * {y}; T n = u - v + K * t; {y} = {copied}; {x} = n; }}"
            )),
            2 => self.line(format!(
                "{{ T n = (T)((double){a} * {x} - {b} * {y} + t); {y} = {copied}; {x} = n; }}"
            )),
            _ => self.line(format!("{{ T n = {a} * {x} - {b} * {y} + K * t; {y} = {copied}; {x} = n; }}")),
        }
    }

    /// Something that a filter does not expect.
    fn filter_disturbance(&mut self, x: &str) {
        let address = addressable(x);
        match self.rng.u32(0..8) {
            0 => self.line(format!("{x} = {x} + t;")),
            1 => self.line(format!("maybe(&{address}, t);")),
            2 => self.line("gs = gt;"),
            3 => self.line("memcpy(&gt, h, sizeof gt);"),
            4 => self.line(format!("*(int *)&{address} = __VERIFIER_nondet_int() & 0x3fffffff;")),
            5 => self.line(format!("*(__VERIFIER_nondet_bool() ? &gx : &{address}) = 7;")),
            6 => self.line("ga[__VERIFIER_nondet_int() & 3] = 7;"),
            _ => self.line("p = __VERIFIER_nondet_bool() ? &gs : &gt;"),
        }
    }

    /// Overflows where a bound is left; that ends no run.
    fn filter_check(&mut self) {
        let (x, bound) = (self.filter_float(), self.pick(&["1.5", "3", "7", "20", "150", "900"]));
        self.line(format!("sink = ({x} > {bound} ? HUGE_ : (T)1) * 2;"));
    }
}

/// Registers have no address.
fn addressable(place: &str) -> String {
    match place {
        "X" | "Y" | "U" | "V" => format!("A{place}"),
        place => place.to_owned(),
    }
}
