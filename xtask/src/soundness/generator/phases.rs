// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of loops that change their ways: a counter is compared with a constant inside the loop, and what is done to
//! it, or to another, depends on how that comes out. Some go back and forth, some begin in either phase, and the loops end by
//! one of several tests. Counters are cut to narrower ones, and get new values. Claims about what holds behind them are divisions by their truth.

use super::Generator;

const HELPERS: &str = "\
int probe;
static int whole(int low, int high) { int x = __VERIFIER_nondet_int(); return x < low ? low : x > high ? high : x; }
";

const COUNTERS: [&str; 3] = ["x", "y", "z"];
const TESTS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// A program of loops with phases.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0x0070_4a5e);
    generator.text.push_str(HELPERS);
    generator.block("int main(void)", Generator::phases_main, "");
    generator.text
}

impl Generator {
    fn phases_main(&mut self) {
        for name in COUNTERS {
            let ty = self.pick(&["int", "int", "unsigned"]);
            let (low, high) = self.pick(&[("0", "0"), ("0", "9"), ("-3", "3"), ("0", "200"), ("7", "7")]);
            self.line(format!("{ty} {name} = whole({low}, {high});"));
        }
        for _ in 0..self.rng.u32(1..4) {
            self.phases_loop();
            self.phases_claim();
        }
        self.line("return probe & 1;");
    }

    fn phases_loop(&mut self) {
        let turn = self.name("t");
        let (end, also) = (self.phases_test(), self.phases_test());
        let and = self.pick(&["", "&&", "||"]);
        let test = if and.is_empty() { end } else { format!("({end} {and} {also})") };
        self.block(
            &format!("for (int {turn} = 0; {turn} < 300 && {test}; {turn}++)"),
            |g| {
                let name = g.pick(&COUNTERS);
                let test = g.phases_test_of(name);
                g.block(&format!("if ({test})"), |g| g.phases_steps(name), "");
                if g.chance(80) {
                    g.block("else", |g| g.phases_steps(name), "");
                }
                if g.chance(25) {
                    let test = g.phases_test();
                    g.line(format!("if ({test}) break;"));
                }
            },
            "",
        );
    }

    /// Most of them change what was tested: there and back.
    fn phases_steps(&mut self, tested: &'static str) {
        for _ in 0..self.rng.u32(1..3) {
            let name = if self.chance(60) { tested } else { self.pick(&COUNTERS) };
            let by = self.pick(&["1", "1", "2", "3", "5", "-9"]);
            let from = self.pick(&COUNTERS);
            // Every fifth program cuts and overwrites its counters.
            let most = if self.mistakes == 25 { 14 } else { 10 };
            let step = match self.rng.u32(0..most) {
                0..=4 => format!("{name} += {by};"),
                5 | 6 => format!("{name} -= {by};"),
                7 | 8 => format!("{name} = {by};"),
                9 => format!("{name} = {from};"),
                10 | 11 => format!("{name} = (signed char)({from} + {by});"),
                12 => format!("{name} = {from} - whole(0, 2);"),
                _ => format!("{name} = whole(0, 9);"),
            };
            self.line(step);
        }
    }

    fn phases_test(&mut self) -> String {
        let name = self.pick(&COUNTERS);
        self.phases_test_of(name)
    }

    fn phases_test_of(&mut self, name: &str) -> String {
        let test = self.pick(&TESTS);
        let with = self.pick(&["0", "1", "5", "10", "16", "100"]);
        format!("{name} {test} {with}")
    }

    fn phases_claim(&mut self) {
        let most = if self.mistakes == 25 { 6 } else { 4 };
        let claim = match self.rng.u32(0..most) {
            0 => {
                let (name, by) = (self.pick(&COUNTERS), self.pick(&["2", "3", "5"]));
                format!("{name} % {by} == {}", self.pick(&["0", "1"]))
            }
            1 => format!("{} || {}", self.phases_test(), self.phases_test()),
            4 | 5 => {
                let (name, from) = (self.pick(&COUNTERS), self.pick(&COUNTERS));
                format!("{name} {} {from}", self.pick(&["==", "!=", "<="]))
            }
            _ => self.phases_test(),
        };
        self.line(format!("probe += 1 / ({claim});"));
    }
}
