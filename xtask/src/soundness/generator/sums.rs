// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of sums: a few floats and integers that are added, compared, copied and kept in memory, in loops.
//!
//! What an analysis says of `x + y` is easily said of the value before an assignment, of a sum as if it did not round,
//! or of a number that may be none. Claims about sums are divisions by their truth, and what is said at the heads of
//! the loops is compared with every run.

use super::Generator;

const HELPERS: &str = "\
F gf, gg; int gi, probe;
static F real(F low, F high) { F x = F_INPUT(); return x >= low && x <= high ? x : low; }
static int whole(int low, int high) { int x = __VERIFIER_nondet_int(); return x < low ? low : x > high ? high : x; }
static F middle(F x, F low, F high) { return x < low ? low : x > high ? high : x; }
static void bump(void) { gf = gf + 1; gi = gi ^ 1; }
";

const REALS: [&str; 6] = ["a", "b", "c", "d", "gf", "gg"];
const WHOLES: [&str; 5] = ["i", "j", "k", "l", "gi"];
const TESTS: [&str; 5] = ["<", "<=", ">", ">=", "=="];

/// A program of sums.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0x0050_3355);
    let double = generator.chance(40);
    let (ty, input) = if double { ("double", "double") } else { ("float", "float") };
    generator.line(format!("#define F {ty}\n#define F_INPUT __VERIFIER_nondet_{input}"));
    generator.text.push_str(HELPERS);
    generator.block("int main(void)", Generator::sums_main, "");
    generator.text
}

impl Generator {
    fn sums_main(&mut self) {
        for name in ["a", "b", "c", "d"] {
            let size = self.pick(&[1, 16, 100, 1000, 100_000]);
            let wild = self.chance(20);
            let value = if wild { "F_INPUT()".to_owned() } else { format!("real(-{size}, {size})") };
            self.line(format!("F {name} = {value};"));
        }
        for name in ["i", "j", "k", "l"] {
            let high = self.pick(&["0", "1", "10", "1000", "2147483647"]);
            let low = self.pick(&["0", "0", "-5", "(-2147483647 - 1)"]);
            self.line(format!("int {name} = whole({low}, {high});"));
        }
        for _ in 0..self.rng.u32(4..14) {
            self.sums_statement(2);
        }
        self.line("return probe & 1;");
    }

    fn sums_statement(&mut self, depth: u32) {
        match self.rng.u32(0..20) {
            0..=4 => self.sums_real(),
            5..=8 => self.sums_whole(),
            9..=11 => self.sums_claim(),
            12..=14 if depth > 0 => {
                let test = self.sums_test();
                self.block(&format!("if ({test})"), |g| g.sums_few(depth), "");
                if self.chance(40) {
                    self.block("else", |g| g.sums_few(depth), "");
                }
            }
            15..=17 if depth > 0 => {
                let (turn, turns) = (self.name("t"), self.pick(&["3", "9", "40"]));
                let test =
                    if self.chance(50) { format!(" && ({})", self.sums_test()) } else { String::new() };
                self.block(
                    &format!("for (int {turn} = 0; {turn} < {turns}{test}; {turn}++)"),
                    |g| g.sums_few(depth),
                    "",
                );
            }
            18 => self.sums_limiter(),
            19 if self.chance(50) => self.sums_apart(),
            _ => self.line("bump();"),
        }
    }

    fn sums_few(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..5) {
            self.sums_statement(depth - 1);
        }
    }

    /// A sum of floats, mostly held within bounds.
    fn sums_real(&mut self) {
        let [x, y, z, w] = [0; 4].map(|_| self.pick(&REALS));
        let step = self.pick(&["0.1", "1", "16", "0.5"]);
        let value = match self.rng.u32(0..12) {
            0 | 1 => format!("{y} - {z}"),
            2 | 3 => format!("{y} + {z}"),
            4 => format!("{y} + {step}"),
            5 => format!("{y} * {step}"),
            6 => format!("{y} - {z} + {w}"),
            7 => y.to_owned(),
            8 => format!("-{y}"),
            9 => format!("real(-{step}, {step})"),
            10 => format!("(float)({y} + {z} / 3)"),
            _ => format!("{y} * {z}"),
        };
        match self.rng.u32(0..4) {
            0 => self.line(format!("{x} = middle({value}, -5000, 5000);")),
            1 => self.line(format!(
                "{x} = {value}; if ({x} > 5000) {x} = 5000; else if ({x} < -5000) {x} = -5000;"
            )),
            _ => self.line(format!("{x} = {value};")),
        }
    }

    fn sums_whole(&mut self) {
        let [x, y, z] = [0; 3].map(|_| self.pick(&WHOLES));
        let c = self.rng.u32(0..5);
        let text = match self.rng.u32(0..8) {
            0 => format!("if ({x} < 1000) {x} = {x} + {c};"),
            1 => format!("if ({x} > -1000) {x} = {x} - {c};"),
            2 => format!("if ({y} > -1000 && {y} < 1000 && {z} < 500 && {z} > -500) {x} = {y} + {z};"),
            3 => format!("if ({y} >= 0 && {z} >= 0) {x} = {y} - {z};"),
            4 => format!("{x} = {y};"),
            5 => format!("if ({y} > 0) {{ {y}--; if ({z} < 1000000) {z} += {c}; }}"),
            6 => format!("if ({x} >= 0 && {x} < 100 && {y} >= 0 && {y} < 7) {x} = {x} + {y};"),
            _ => format!("{x} = whole(-{c}, {c});"),
        };
        self.line(text);
    }

    fn sums_test(&mut self) -> String {
        let test = self.pick(&TESTS);
        let [x, y, z] = [0; 3].map(|_| self.pick(&REALS));
        let [i, j, k] = [0; 3].map(|_| self.pick(&WHOLES));
        match self.rng.u32(0..10) {
            9 => format!("__builtin_fabs({x}) {test} 0.5"),
            0 => format!("{x} {test} {y}"),
            1 => format!("{x} - {y} {test} {z}"),
            2 => format!("{x} + {y} {test} 10"),
            3 => format!("!({x} {test} {y})"),
            4 => format!("{x} * {x} {test} {y}"),
            5 => format!("{i} {test} {j}"),
            6 => format!("(long){i} + {j} {test} {k}"),
            7 => format!("(long){i} + {j} {test} 20"),
            _ => format!("(double){i} {test} {x}"),
        }
    }

    /// Divides by a claim.
    fn sums_claim(&mut self) {
        let [x, y, z] = [0; 3].map(|_| self.pick(&REALS));
        let [i, j] = [0; 2].map(|_| self.pick(&WHOLES));
        let test = self.pick(&TESTS[..4]);
        let c = self.pick(&["0", "1", "16", "100", "10000"]);
        let claim = match self.rng.u32(0..8) {
            0 => format!("{x} {test} {y}"),
            1 => format!("{x} - {y} {test} {c}"),
            2 => format!("{x} + {y} {test} {c}"),
            3 => format!("{x} - {y} {test} {z}"),
            4 => format!("{x} {test} {c}"),
            5 => format!("(long){i} + {j} {test} {c}"),
            6 => format!("{i} {test} {j}"),
            _ => format!("(long){i} - {j} {test} {c}"),
        };
        self.line(format!("probe = 1 / ({claim});"));
    }

    /// A copy, and what moves away from it: rounded, or by one of several steps.
    fn sums_apart(&mut self) {
        let (copy, turn) = (self.name("p"), self.name("t"));
        if self.chance(50) {
            let (x, y) = (self.pick(&REALS), self.pick(&REALS));
            let step = self.pick(&["0.1f", "1.7f", "x1"]).replace("x1", y);
            self.line(format!("F {copy} = {x} + {step};"));
            let head = format!("for (int {turn} = 0; {turn} < 3; {turn}++)");
            self.block(&head, |g| g.line(format!("probe = {copy} - {x} > {y};")), "");
        } else {
            let (x, y) = (self.pick(&WHOLES), self.pick(&WHOLES));
            self.line(format!("int {copy} = {x};"));
            let head = format!("for (int {turn} = 0; {turn} < 5; {turn}++)");
            self.block(
                &head,
                |g| {
                    g.line(format!("if ({x} > -900 && {x} < 900 && {y} >= -1 && {y} < 7) {x} = {x} + {y};"));
                    g.line(format!("if ({turn} == 4) probe = 1 / ({x} - {copy} <= 9000);"));
                },
                "",
            );
        }
    }

    /// Paper 004, 6.2.2, with the mistakes that break it.
    fn sums_limiter(&mut self) {
        let (x, z) = (self.pick(&["a", "b", "gg"]), self.pick(&["c", "d", "gf"]));
        let v = self.pick(&["1", "16", "4.5"]);
        let (r, s) = (self.name("r"), self.name("s"));
        self.line(format!("F {r} = {x} - {z}, {s} = {x};"));
        if self.chance(20) {
            self.line(format!("{z} = {z} + 1;"));
        }
        self.line(format!("if ({r} > {v}) {s} = {z} + {v}; else if ({r} < -{v}) {s} = {z} - {v};"));
        self.line(format!("probe = 1 / ({s} <= {x} + 1);"));
        self.line(format!("{z} = {s};"));
    }
}
