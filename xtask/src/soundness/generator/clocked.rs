// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that wait for a clock: counters in registers, globals, members, elements and behind pointers, floats that
//! grow by a factor a turn, ticks on some ways only, in functions, twice a turn or in inner loops. What an analysis says
//! of a counter against the clock is easily one tick, or one way, off. Tables are searched on the way, and runs kept apart.

use super::Generator;

const GLOBALS: &str = "\
static void __clew_tick(void) { }
struct four { int a; unsigned int b; short c; long d; };
static int g0, g1 = 3;
static unsigned int gu;
static long gl = -2;
static unsigned char gc;
static short gs;
static struct four r0, r1;
static int table[4];
static int *where = &g0;
static float f0 = 1.0f, f1;
static double d0 = 1.0, d1 = -2.0, d2[2];
static void bump(int *p) { *p = *p + 1; }
static void maybe(int *p, int by) { if (__VERIFIER_nondet_bool()) *p += by; }
static int more(int x) { return x + 1; }
static void pause(void) { __clew_tick(); }
static void pauses(int n) { for (int i = 0; i < n; i++) __clew_tick(); }
static void rest(int n) { if (n > 0) { __clew_tick(); rest(n - 1); } }
static void step(void) { if (__VERIFIER_nondet_bool()) g1++; __clew_tick(); }
static void (*wait)(void) = pause;
static const int limits[6] = {-3, 0, 2, 7, 19, 60};
static const int weights[7] = {5, 1, -4, 8, 2, 9, -7};
static const float slopes[7] = {0.5f, 1.0f, 1.5f, 0.25f, 2.0f, 0.125f, 3.0f};
static int found, sign;
static void __clew_partition(long value) { }
static void __clew_merge(void) { }
";

const COUNTERS: [&str; 14] =
    ["x", "y", "l", "g0", "g1", "gu", "gl", "gc", "gs", "r0.a", "r0.b", "r1.c", "table[1]", "*where"];

const FLOATS: [&str; 8] = ["z", "w", "f0", "f1", "d0", "d1", "d2[0]", "d2[1]"];

/// A program that waits for a clock.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0xc10c_4ed0);
    generator.text.push_str(GLOBALS);
    generator.block("int main(void)", Generator::clocked_main, "");
    generator.text
}

impl Generator {
    fn clocked_main(&mut self) {
        self.line("int x = 0, y = __VERIFIER_nondet_int() & 15, k = __VERIFIER_nondet_uint() & 3;");
        self.line("long l = 5; float z = 0.5f; double w = 0.0;");
        for _ in 0..self.rng.u32(0..3) {
            self.clocked_statement();
        }
        for _ in 0..self.rng.u32(1..3) {
            self.clocked_loop(0);
        }
        self.line("return x > y && l > 0 && z > w && k;");
    }

    fn clocked_loop(&mut self, depth: u32) {
        let i = self.name("i");
        let most = self.rng.u32(2..40);
        let head = match self.rng.u32(0..4) {
            0 => format!("while (__VERIFIER_nondet_int() & {})", self.pick(&[3, 15, 63])),
            1 => format!("for (int {i} = 0; {i} < {most} && (__VERIFIER_nondet_int() & 31); {i}++)"),
            2 => format!("for (long {i} = __VERIFIER_nondet_uchar(); {i} > 0; {i}--)"),
            _ => format!("for (int {i} = 0; {i} < {most}; {i}++)"),
        };
        self.block(
            &head,
            |g| {
                for _ in 0..g.rng.u32(1..6) {
                    if depth < 1 && g.chance(8) {
                        g.clocked_loop(depth + 1);
                    }
                    g.clocked_statement();
                }
                g.clocked_tick();
                if g.chance(40) {
                    g.clocked_statement();
                }
            },
            "",
        );
    }

    fn clocked_tick(&mut self) {
        let text = self.pick(&[
            "__clew_tick();",
            "__clew_tick();",
            "__clew_tick();",
            "if (__VERIFIER_nondet_bool()) __clew_tick();",
            "__clew_tick(); __clew_tick();",
            "pause();",
            "pauses(k);",
            "rest(2);",
            "step();",
            "wait();",
            "if (x > 3) pauses(2); else __clew_tick();",
            ";",
        ]);
        self.line(text);
    }

    /// Looks something up in tables, and uses what belongs together.
    fn clocked_search(&mut self) {
        let (s, key) = (self.name("s"), self.pick(&["x", "y", "g0", "g1", "r0.a", "table[1]"]));
        self.line(format!("int {s} = 0;"));
        let step = self.pick(&["++", "++", " += 2"]);
        match self.rng.u32(0..3) {
            0 => self.line(format!("while ({s} < 6 && limits[{s}] < {key}) {s}{step};")),
            1 => self.line(format!("for (; {s} <= 5; {s}{step}) if ({key} <= limits[{s}]) break;")),
            _ => self.line(format!("while (limits[{s}] < ({key} & 31)) {s}++;")),
        }
        let apart = self.chance(30);
        if apart {
            let text =
                self.pick(&["__clew_partition(k);", "__clew_partition(y & 3);", "__clew_partition(x);"]);
            self.line(text);
        }
        let (weight, slope) = (format!("weights[{s} > 6 ? 6 : {s}]"), format!("slopes[{s} > 6 ? 6 : {s}]"));
        match self.rng.u32(0..4) {
            0 => self.line(format!("found = {weight} + k; sign = {s} < 3;")),
            1 => self.line(format!("f1 = {slope} * (float)({s} - 2) + (float){weight}; found = {s};")),
            2 => self.line(format!("if ({s} > 2) found = {weight}; else sign = {weight} - {s};")),
            _ => self.line(format!("found = k ? {weight} : {s}; gs = (short)(found * {s});")),
        }
        if apart && self.chance(60) {
            self.line("__clew_merge();");
        }
    }

    fn clocked_statement(&mut self) {
        if self.chance(12) {
            return self.clocked_search();
        }
        if self.chance(30) {
            let condition = match self.rng.u32(0..4) {
                0 => "__VERIFIER_nondet_bool()".to_owned(),
                1 => format!("{} < {}", self.pick(&COUNTERS), self.rng.u32(1..30)),
                2 => format!("{} > {}", self.pick(&COUNTERS), self.pick(&COUNTERS)),
                _ => format!("{} < {}.0", self.pick(&FLOATS), self.rng.u32(1..30)),
            };
            let text = self.clocked_assignment();
            let otherwise =
                if self.chance(40) { format!(" else {}", self.clocked_assignment()) } else { String::new() };
            return self.line(format!("if ({condition}) {{ {text} }}{otherwise}"));
        }
        let text = self.clocked_assignment();
        self.line(text);
    }

    fn clocked_assignment(&mut self) -> String {
        if self.chance(25) {
            return self.clocked_float();
        }
        let (to, from) = (self.pick(&COUNTERS), self.pick(&COUNTERS));
        let small = self.rng.u32(0..4);
        match self.rng.u32(0..22) {
            0..=5 => format!("{to} = {to} + 1;"),
            6 => format!("{to} -= 1;"),
            7 => format!("{to} += {small};"),
            8 => format!("{to} += __VERIFIER_nondet_int() & 1;"),
            9 => format!("{to} = 0;"),
            10 => format!("{to} = {from};"),
            11 => format!("{to} = {from} + 1;"),
            12 => format!("{to} = {small} - {from};"),
            13 => format!("{to} = {to} + 1; {to} = __VERIFIER_nondet_int() & 7;"),
            14 => format!("bump({});", self.pick(&["&g0", "&g1", "&x", "&r0.a", "&table[2]", "where"])),
            15 => format!("maybe({}, {small});", self.pick(&["&g0", "&y", "&r1.a", "where"])),
            16 => format!("{to} = more({});", self.pick(&["x", "g0", "y", "r0.a"])),
            17 => self.pick(&["r1 = r0;", "r0 = r1;", "memset(&r0, 0, sizeof r0);"]).to_owned(),
            18 => self
                .pick(&[
                    "table[k]++;",
                    "table[k] = x;",
                    "found = weights[k] - limits[k + 1];",
                    "__clew_partition(k); found = weights[k]; __clew_merge();",
                    "where = &table[k];",
                ])
                .to_owned(),
            19 => self.pick(&["where = &g1;", "where = &x;", "where = k ? &g0 : &g1;"]).to_owned(),
            20 => self
                .pick(&["memcpy(&r0.a, &g1, 4);", "*(char *)&g0 = 1;", "gu = (unsigned)g1 + 1;"])
                .to_owned(),
            _ => "wait = __VERIFIER_nondet_bool() ? pause : __clew_tick;".to_owned(),
        }
    }

    fn clocked_float(&mut self) -> String {
        let (to, from) = (self.pick(&FLOATS), self.pick(&FLOATS));
        let factor = self.pick(&["0.5", "0.9", "1.0", "1.001", "-0.75", "(1 + 0x1p-23)", "1.25f", "0.1f"]);
        let input = self.pick(&[
            "(__VERIFIER_nondet_int() & 7)",
            "(__VERIFIER_nondet_schar() / 16.0f)",
            "0.1",
            "0.25f",
        ]);
        match self.rng.u32(0..8) {
            0..=1 => format!("{to} = {to} * {factor};"),
            2..=3 => format!("{to} = {factor} * {to} + {input};"),
            4 => format!("{to} = {to} - {input} * 0.5f;"),
            5 => format!("{to} = {from};"),
            6 => format!("{to} = {input};"),
            _ => format!("{to} = 0.5f * {from} + 0.25 * {to};"),
        }
    }
}
