// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of flags and what they decide on: truths that are stored and tested later, flags put together of others, states
//! of machines, values and pointers that are there if a flag says so, in globals, records, elements, locals and on the
//! heap, set and tested in functions too. And the things that end what a flag says: the value changes, or the flag, by a
//! pointer that may point to either, through another type, by a copy of a record over another; one of two
//! assignments is left out, a test is the wrong way round.
//!
//! Loops stand between the places where flags are set and tested, and what is said at their heads is compared with
//! every run.

use super::Generator;

/// What all of these programs share.
const GLOBALS: &str = "\
struct part { int ok; int n; double d; signed char mode; unsigned u; int *p; };
int ga, gb, gc, gx, gy, gz;
_Bool gt;
unsigned char gm;
unsigned gu;
double gd;
int *gp;
int gi[4];
int gcell;
struct part gs, gr;
volatile int sink;
volatile double dsink;
";

const HELPERS: &str = "\
static int input(int lo, int hi) { int n = __VERIFIER_nondet_int(); return n < lo || n > hi ? lo : n; }
static void set(struct part *s) { s->n = input(-9, 9); s->ok = s->n != 0; }
static void use(struct part *s) { if (s->ok) sink = 100 / s->n; }
static void judge(void) { FLAG1 = VALUE1 == 0; }
static void both(void) { FLAG2 = FLAG1 && VALUE2 > 0; }
static void divide(void) { if (!FLAG1) sink = 50 / VALUE1; }
static void touch(int *q, int n) { if (__VERIFIER_nondet_bool()) *q = n; }
static int truth(int a, int b) { return a || b; }
static void wait_a_turn(void) { for (int w = 0; w < 2; w++) sink = w; }
";

/// Places with few values. `L` is a local.
const FLAGS: [&str; 12] =
    ["ga", "gb", "gc", "gt", "gm", "gs.ok", "gr.mode", "p->ok", "h->ok", "gi[0]", "L", "gs.mode"];

/// Integers that flags decide on.
const VALUES: [&str; 11] = ["gx", "gy", "gz", "gs.n", "gr.n", "p->n", "h->n", "gi[1]", "lx", "gu", "gs.u"];

/// Places of globals, which functions may name.
const GLOBAL_FLAGS: [&str; 6] = ["ga", "gb", "gt", "gm", "gs.ok", "gi[0]"];
const GLOBAL_VALUES: [&str; 5] = ["gx", "gy", "gs.n", "gi[1]", "gu"];

/// A program of flags.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0xf1a6_5000);
    generator.flags_unit();
    generator.text
}

impl Generator {
    fn flags_unit(&mut self) {
        let (flag, value) = (self.pick(&GLOBAL_FLAGS), self.pick(&GLOBAL_VALUES));
        let (other_flag, other_value) = (self.pick(&GLOBAL_FLAGS), self.pick(&GLOBAL_VALUES));
        // Two flags and two values that statements mostly are about; functions can name only globals.
        let (f, x) = if self.chance(60) { (flag, value) } else { (self.pick(&FLAGS), self.pick(&VALUES)) };
        let (g, y) = (self.pick(&FLAGS), self.pick(&VALUES));
        for (name, place) in [
            ("FLAG1", flag),
            ("FLAG2", other_flag),
            ("VALUE1", value),
            ("VALUE2", other_value),
            ("F", f),
            ("G", g),
            ("X", x),
            ("Y", y),
        ] {
            self.line(format!("#define {name} {place}"));
        }
        self.text.push_str(GLOBALS);
        self.text.push_str(HELPERS);
        self.block("int main(void)", Generator::flags_main, "");
    }

    fn flags_main(&mut self) {
        self.line("int L = 0, lx = 0; struct part ls = {0};");
        self.line("struct part *h = malloc(sizeof *h); if (!h) return 0;");
        self.line("*h = ls;");
        let alias = self.pick(&["&gs", "&gr", "&ls", "__VERIFIER_nondet_bool() ? &gs : &gr"]);
        self.line(format!("struct part *p = {alias};"));
        // Unknown at the beginning, so that little is decided before the loop.
        for (place, most) in [("F", 1), ("G", 1), ("X", 9), ("Y", 9), ("FLAG1", 2), ("gs.n", 5)] {
            if self.chance(75) {
                self.line(format!("{place} = input(0, {most});"));
            }
        }
        let turns = self.pick(&["3", "12", "turns", "turns", "turns"]);
        self.line("int turns = 5 + (__VERIFIER_nondet_int() & 31);");
        self.block(
            &format!("for (int i = 0; i < {turns}; i++)"),
            |g| {
                for _ in 0..g.rng.u32(3..9) {
                    g.flag_statement(3);
                }
            },
            "",
        );
        self.line("free(h); return 0;");
    }

    fn a_flag(&mut self) -> &'static str {
        if self.chance(85) { self.pick(&["F", "F", "G", "FLAG1"]) } else { self.pick(&FLAGS) }
    }

    fn a_value(&mut self) -> &'static str {
        if self.chance(85) { self.pick(&["X", "X", "Y", "VALUE1"]) } else { self.pick(&VALUES) }
    }

    fn flag_statement(&mut self, depth: u32) {
        let (flag, value) = (self.a_flag(), self.a_value());
        match self.rng.u32(0..30) {
            0..=1 => {
                let (lo, hi) = self.pick(&[(-9, 9), (0, 3), (0, 100), (-1, 1), (5, 20)]);
                self.line(format!("{value} = input({lo}, {hi});"));
            }
            2..=4 => {
                let condition = self.flag_condition(value);
                self.line(format!("{flag} = {condition};"));
            }
            5..=9 => self.flag_use(flag, value),
            10 => self.flag_branches(flag, value),
            11 => self.flag_machine(flag, value),
            12 => self.flag_pointer(flag),
            13 => self.flag_float(flag),
            14 => {
                let other = self.a_flag();
                let how = self.pick(&["!", "!!", "", "1 - "]);
                self.line(format!("{flag} = {how}{other};"));
            }
            15 => {
                let call = self.pick(&[
                    "set(&gs);",
                    "set(p);",
                    "set(h);",
                    "use(&gs);",
                    "use(p);",
                    "use(h);",
                    "judge();",
                    "both();",
                    "divide();",
                    "divide();",
                ]);
                self.line(call);
            }
            16 => self.flag_disturbance(flag, value),
            17 => self.line("wait_a_turn();"),
            18 if depth > 0 => {
                self.block("for (int k = 0; k < 2; k++)", |g| g.flag_statement(depth - 1), "");
            }
            19 => {
                let from = self.a_flag();
                let (small, large) = (self.rng.u32(0..4), self.rng.u32(3..9));
                self.line(format!("{value} = {from} ? {small} : {large};"));
            }
            20 => {
                let flags = (self.a_flag(), self.a_flag());
                self.line(format!("{flag} = truth({}, {});", flags.0, flags.1));
            }
            21 if depth > 0 => {
                let other = self.a_flag();
                self.block(
                    &format!("switch ({other})"),
                    |g| {
                        for label in ["case 0:", "case 1:", "default:"] {
                            g.line(label);
                            g.flag_statement(depth - 1);
                            if !g.mistake() {
                                g.line("break;");
                            }
                        }
                    },
                    "",
                );
            }
            22..=23 => {
                // What is set, looked at at the head of a loop, and tested.
                let condition = self.flag_condition(value);
                self.line(format!("{flag} = {condition};"));
                match depth {
                    0 => self.line("wait_a_turn();"),
                    _ => {
                        self.block(
                            "for (int k = 0; k < (turns & 3); k++)",
                            |g| g.flag_statement(depth - 1),
                            "",
                        );
                    }
                }
                self.flag_use(flag, value);
            }
            _ if depth > 0 => {
                let condition = self.flag_test();
                self.block(&format!("if ({condition})"), |g| g.flag_statement(depth - 1), "");
                if self.chance(60) {
                    self.block("else", |g| g.flag_statement(depth - 1), "");
                }
            }
            _ => self.flag_use(flag, value),
        }
    }

    fn flag_condition(&mut self, value: &str) -> String {
        let other = self.a_flag();
        let second = self.a_value();
        match self.rng.u32(0..9) {
            0..=2 => format!("{value} == 0"),
            3 => format!("{value} != 0"),
            4 => format!("{value} > {}", self.rng.i32(-3..4)),
            5 => format!("{value} > 0 && {value} < {}", self.rng.u32(2..12)),
            6 => format!("{other} && {value} != 0"),
            7 => format!("{value} < 1 || {second} == 2"),
            _ => format!("{value} == 0 ? 0 : {value} < 4 ? 1 : 2"),
        }
    }

    fn flag_test(&mut self) -> String {
        let (a, b) = (self.a_flag(), self.a_flag());
        match self.rng.u32(0..7) {
            0..=1 => a.to_owned(),
            2 => format!("!{a}"),
            3 => format!("{a} && !{b}"),
            4 => format!("{a} || {b}"),
            5 => format!("{a} == {}", self.rng.u32(0..3)),
            _ => "__VERIFIER_nondet_bool()".to_owned(),
        }
    }

    fn flag_use(&mut self, flag: &str, value: &str) {
        let minus = self.pick(&[0, 0, 0, 1, 5]);
        let test = match self.rng.u32(0..6) {
            0..=1 => flag.to_owned(),
            2..=3 => format!("!{flag}"),
            4 => self.flag_test(),
            _ => format!("{flag} == {}", self.rng.u32(0..3)),
        };
        match self.rng.u32(0..5) {
            0 => self.line(format!("if ({test}) sink = gi[{value} & 7];")),
            1 => self.line(format!("if ({test}) sink = {value} + 0x7ffffff0;")),
            _ => self.line(format!("if ({test}) sink = 100 / ({value} - {minus});")),
        }
    }

    fn flag_branches(&mut self, flag: &str, value: &str) {
        let condition = self.flag_test();
        let (yes, no) = (self.rng.u32(1..4), self.rng.u32(0..2));
        let left_out = self.mistake();
        let first = if left_out { String::new() } else { format!("{flag} = {no};") };
        self.line(format!("if ({condition}) {{ {flag} = {yes}; {value} = input({yes}, 9); }}"));
        self.line(format!("else {{ {first} {value} = {no} * 3; }}"));
    }

    fn flag_machine(&mut self, flag: &str, value: &str) {
        let start = self.rng.u32(1..7);
        let end = self.pick(&["==", "==", "<=", "<"]);
        self.line(format!("if ({flag} == 0) {{ if (i & 1) {{ {flag} = 1; {value} = {start}; }} }}"));
        self.line(format!("else if ({flag} == 1) {{ sink = 60 / {value}; {value} = {value} - 1;"));
        self.line(format!("if ({value} {end} 0) {flag} = 2; }} else {flag} = 0;"));
    }

    fn flag_pointer(&mut self, flag: &str) {
        let pointer = self.pick(&["gp", "gs.p", "p->p", "h->p"]);
        let null = self.pick(&["0", "0", "&gcell"]);
        match self.rng.u32(0..4) {
            0 => self.line(format!(
                "{pointer} = __VERIFIER_nondet_bool() ? &gcell : {null}; {flag} = {pointer} != 0;"
            )),
            1 => self.line(format!("{flag} = {pointer} == 0; wait_a_turn();")),
            2 => self.line(format!("if (!{flag}) *{pointer} = 1;")),
            _ => self.line(format!("if ({flag}) *{pointer} = i;")),
        }
    }

    fn flag_float(&mut self, flag: &str) {
        let float = self.pick(&["gd", "gs.d", "p->d", "h->d"]);
        let bound = self.pick(&["0.5", "0.0", "-3.0", "1e9"]);
        let op = self.pick(&[">", "<", ">=", "==", "!="]);
        match self.rng.u32(0..5) {
            0 => self.line(format!("{float} = __VERIFIER_nondet_double();")),
            1 => self.line(format!("{flag} = {float} {op} {bound}; wait_a_turn();")),
            2 => self.line(format!("{flag} = {float} > {bound} && {float} < 1e5;")),
            3 => self.line(format!("if ({flag}) sink = (int){float};")),
            _ => self.line(format!("if (!{flag}) dsink = {float} * 0.0;")),
        }
    }

    fn flag_disturbance(&mut self, flag: &str, value: &str) {
        let n = self.rng.i32(-1..4);
        match self.rng.u32(0..10) {
            0 => self.line(format!("touch(__VERIFIER_nondet_bool() ? &ga : &gx, {n});")),
            1 => self.line(format!("touch(&gs.ok, {n});")),
            2 => self.line(format!("touch(&p->n, {n});")),
            3 => self.line("gs = gr;"),
            4 => self.line("*p = gs;"),
            5 => self.line("memset(&gs, 0, sizeof gs);"),
            6 => self.line(format!("*(signed char *)&gx = {n};")),
            7 => self.line(format!("gi[i & 1] = {n};")),
            8 => self.line(format!("{flag} = {flag} + 1;")),
            _ => self.line(format!("{value} = {value} > 50 ? 0 : {value} + 1;")),
        }
    }
}
