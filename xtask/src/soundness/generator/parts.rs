// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of nothing but loops over arrays: they fill, copy, rewrite and compare parts whose ends are told by
//! variables. What an analysis says of "all elements up to `i`" is easily said of one element too many, or after it
//! has ceased to be so: a source of a copy that changes, a bound that moves, a write through another type.
//!
//! Arrays are more than twice as long as the largest bound, so that runs seldom end early; what is said at the heads
//! of the loops is compared with every run.

use super::Generator;

/// The declarations that all of these programs share. `T` is the type of elements, `S` the length.
const GLOBALS: &str = "\
struct rec { T x; T y; int z; };
T ga[S]; T gb[S]; T gc[S] = {1, 2, 3};
T gm[R][C];
struct rec gr[S];
struct outer { struct rec in[2]; T last; } go[S];
T *gp[S];
int gn, gk, probe;
";

const HELPERS: &str = "\
static void put(T *p, int k, T v) { p[k] = v; }
static void touch(int k) { gb[k] = 3; }
static void maybe(T *p, int k, T v) { if (__VERIFIER_nondet_bool()) return; p[k] = v; }
static void fill(T *p, int count, T v) { for (int i = 0; i < count; i++) p[i] = v; }
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
";

/// The arrays of plain elements.
const ARRAYS: [&str; 7] = ["ga", "gb", "gc", "la", "lb", "h", "q"];

/// A program of loops over arrays.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed ^ 0x0a77_a715);
    generator.parts_unit();
    generator.text
}

impl Generator {
    fn parts_unit(&mut self) {
        let ty = self.pick(&[
            "int",
            "int",
            "int",
            "unsigned int",
            "long",
            "short",
            "unsigned char",
            "signed char",
        ]);
        let most = self.rng.u32(4..11);
        let (rows, columns) = (self.rng.u32(3..7), self.rng.u32(3..7));
        self.line(format!("#define T {ty}\n#define N {most}\n#define S (2 * N + 4)"));
        self.line(format!("#define R {rows}\n#define C {columns}"));
        self.text.push_str(GLOBALS);
        self.text.push_str(HELPERS);
        self.block("int main(void)", Generator::parts_main, "");
    }

    fn parts_main(&mut self) {
        for (name, low) in [("n", "0"), ("m", "-1"), ("k", "0")] {
            match self.rng.u32(0..3) {
                0 => self.line(format!("int {name} = clamp(__VERIFIER_nondet_int(), {low}, N);")),
                1 => self.line(format!(
                    "int {name} = __VERIFIER_nondet_int(); if ({name} < {low} || {name} > N) {name} = N;"
                )),
                _ => self.line(format!("int {name} = __VERIFIER_nondet_uint() % (N + 1);")),
            }
        }
        self.line("T r = __VERIFIER_nondet_int() & 63, x = 1;");
        self.line("T la[S], lb[S] = {0};");
        self.line("T *h = malloc(S * sizeof(T)); if (!h) return 0;");
        let alias = self.pick(&["ga", "gb + 1", "la", "h", "k ? ga : gb"]);
        self.line(format!("T *q = {alias};"));
        self.line("gn = n; gk = k;");
        if self.chance(60) {
            self.line("for (int i = 0; i < S; i++) { la[i] = 0; h[i] = 0; }");
        }
        for _ in 0..self.rng.u32(3..9) {
            self.part_statement(2);
        }
        for _ in 0..self.rng.u32(1..4) {
            self.part_check();
        }
        self.line("free(h); return probe & 1;");
    }

    fn part_array(&mut self) -> &'static str {
        self.pick(&ARRAYS)
    }

    fn part_statement(&mut self, depth: u32) {
        match self.rng.u32(0..20) {
            0..=10 => self.part_loop(depth),
            11 => self.part_matrix(),
            12 => self.part_check(),
            13 => {
                let condition = self.pick(&["n > 2", "k", "r < 9", "gn == n"]);
                self.block(&format!("if ({condition})"), |g| g.part_statement(depth), "");
            }
            14 if depth > 0 => {
                let turns = self.pick(&["2", "k", "N"]);
                let j = self.name("t");
                self.block(
                    &format!("for (int {j} = 0; {j} < {turns}; {j}++)"),
                    |g| (0..g.rng.u32(1..3)).for_each(|_| g.part_statement(depth - 1)),
                    "",
                );
            }
            15 if depth > 0 => self.block(
                "",
                |g| {
                    g.line("T v[n + 1]; for (int i = 0; i <= n; i++) v[i] = i;");
                    g.part_statement(depth - 1);
                    let a = g.part_array();
                    g.line(format!("for (int i = 0; i <= n; i++) {a}[i] = v[i];"));
                },
                "",
            ),
            16 => self.line("h = realloc(h, S * sizeof(T)); if (!h) return 0;"),
            _ => self.part_write("k"),
        }
    }

    /// A write at one index, in one of the ways that writes are made.
    fn part_write(&mut self, index: &str) {
        let (a, b) = (self.part_array(), self.part_array());
        let value = self.part_value(index);
        let text = match self.rng.u32(0..15) {
            0..=2 => format!("{a}[{index}] = {value};"),
            3 => format!("{a}[n / 2] = {value};"),
            4 => format!("put({a}, {index}, {value});"),
            5 if self.chance(50) => format!("maybe({a}, {index}, {value});"),
            5 => format!("touch({index});"),
            6 => format!("((unsigned char *){a})[{index}] = 1;"),
            7 => format!("gr[{index}].y = {value}; gr[{index}].x = {b}[{index}];"),
            8 => format!("memcpy({a}, gc, n * sizeof(T));"),
            9 => format!("memset({a} + {index}, 0, sizeof(T));"),
            10 => format!("fill({a}, n, {value});"),
            11 => format!("((T *)gr)[{index} + 1] = {value};"),
            12 => format!("((T *)gm)[{index}] = {value};"),
            13 => format!("gp[{index}] = &{a}[{index}]; if (k) *gp[{index}] = {value};"),
            _ => self.pick(&["gn = k;", "x = r;", "r = x;", "n = k;", "m = n;", "x = la[k] = 1;"]).into(),
        };
        self.line(text);
    }

    fn part_value(&mut self, index: &str) -> String {
        let b = self.part_array();
        match self.rng.u32(0..14) {
            0..=1 => self.rng.u32(0..4).to_string(),
            2 => "-1".into(),
            3..=4 => index.to_string(),
            5 => format!("{index} + {}", self.rng.u32(1..3)),
            6 => format!("n - {index}"),
            7 => "r".into(),
            8 => "x".into(),
            9..=11 => format!("{b}[{index}]"),
            12 => format!("({b}[{index}] & 31) + 1"),
            _ => "__VERIFIER_nondet_int() & 15".into(),
        }
    }

    fn part_loop(&mut self, depth: u32) {
        let i = self.name("i");
        let n = self.pick(&["n", "n", "gn", "m", "N", "k + 1"]);
        let ty = self.pick(&["int", "int", "unsigned int", "long", "unsigned char", "short"]);
        let low = self.pick(&["0", "0", "0", "0", "1", "k"]);
        let head = match self.rng.u32(0..10) {
            0..=4 => format!("for ({ty} {i} = {low}; (int){i} < {n}; {i}++)"),
            5 => format!("for (int {i} = {n} - 1; {i} >= 0; {i}--)"),
            6 => format!("for (int {i} = {low}; {i} < {n}; {i} += 2)"),
            7 => format!("for (int {i} = {n}; {i}-- > {low};)"),
            8 => format!("for (int {i} = 0; {i} + 1 < {n}; {i}++)"),
            _ => format!("for (int {i} = {low}; {i} <= {n}; {i}++)"),
        };
        self.block(&head, |g| g.part_body(&i, depth), "");
    }

    fn part_body(&mut self, i: &str, depth: u32) {
        for _ in 0..self.rng.u32(1..4) {
            let (a, b) = (self.part_array(), self.part_array());
            let (value, other) = (self.part_value(i), self.part_value(i));
            let text = match self.rng.u32(0..31) {
                0..=6 => format!("{a}[{i}] = {value};"),
                7 => format!("{a}[{i}] = {b}[{i}]; {b}[{i}] = {other};"),
                8 => format!("{a}[{i} + 1] = {value}; {a}[{i}] = {other};"),
                9 => format!("{a}[N - {i}] = {value};"),
                10 => format!("{a}[2 * {i}] = {value};"),
                11 => format!("{a}[2 * {i} + 1] = {value}; {a}[2 * {i}] = {other};"),
                12 => format!("{a}[{i} + 1] = {a}[{i}];"),
                13 => format!("{a}[{i}] = {a}[{i} + 1];"),
                14 => format!("{{ T s = {a}[{i}]; {a}[{i}] = {b}[{i}]; {b}[{i}] = s; }}"),
                15 => format!("if ({b}[{i}] > 2) {a}[{i}] = {value}; else {a}[{i}] = {other};"),
                16 => format!("if ({b}[{i}] == 3) continue;"),
                17 => format!("if ({b}[{i}] == 7) break;"),
                18 => format!("{a}[{i}] = {b}[{i}] + 1;"),
                19 => format!("x = {a}[{i}]; {b}[{i}] = x;"),
                20 => format!("{a}[{b}[{i}] & 3] = {value};"),
                21 => format!("gr[{i}].x = {value}; gr[{i}].y = {other};"),
                22 => format!("r = (r + 1) & 63; {a}[{i}] = r;"),
                23 => format!("{a}[{i} / 2] = {value};"),
                24 => format!(
                    "for (int j = 0; j < 2; j++) go[{i}].in[j].x = {value}; if (k) ((struct rec *)go)[{i} * k & 7].y = 1;"
                ),
                25 => format!("{{ T s = {value}; gp[{i}] = &s; if (k < {i} && gp[k]) x = *gp[k]; }}"),
                26 => format!("{a}[{i} * {i} & 7] = {value};"),
                27..=28 if depth > 0 => {
                    self.part_statement(depth - 1);
                    continue;
                }
                _ => {
                    self.part_write(i);
                    continue;
                }
            };
            self.line(text);
        }
    }

    fn part_matrix(&mut self) {
        let (rows, columns) = (self.pick(&["n", "R", "k"]), self.pick(&["m", "C", "n", "i + 1"]));
        let value = self.pick(&["1", "i", "j", "r", "i + j", "gm[0][0]", "ga[i]", "ga[j]", "gm[j][i]"]);
        let place =
            self.pick(&["gm[i][j]", "gm[i][j]", "gm[j][i]", "(&gm[0][0])[i * C + j]", "gm[R - 1 - i][j]"]);
        let text = format!(
            "for (int i = 0; i < {rows} && i < R && i < C; i++) for (int j = 0; j < {columns} && j < C && j < R; j++) \
             {place} = {value};"
        );
        self.line(text);
    }

    /// Says something of elements that is often so; where it is not, a division fails.
    fn part_check(&mut self) {
        let (a, b) = (self.part_array(), self.part_array());
        let claim = match self.rng.u32(0..10) {
            0..=1 => format!("{a}[c] == {b}[c]"),
            2 => format!("{a}[c] == c"),
            3 => format!("{a}[c] == r"),
            4 => format!("{a}[c] <= n"),
            5 => format!("{a}[c] >= 0"),
            6 => format!("{a}[c] == {b}[c] + 1"),
            7 => self.pick(&["gr[c].x == gr[c].y", "go[c].in[0].x == c", "go[c].in[1].x == 1"]).into(),
            8 => "gm[c % R][c % C] == 1".into(),
            _ => format!("{a}[c] == {}", self.rng.u32(0..4)),
        };
        let stop = if self.chance(50) { "n" } else { "gn" };
        let note = match self.chance(50) {
            true => format!("probe = 1 / ({claim});"),
            false => {
                format!("if (!({claim})) probe ^= 1; else if ({a}[c] > 2 && !({claim})) probe = 1 / (n - n);")
            }
        };
        match self.chance(70) {
            true => self.line(format!("for (int c = 0; c < {stop}; c++) {{ {note} }}")),
            false => self.line(format!("if (k < {stop}) {{ int c = k; {note} }}")),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seed_is_a_program() {
        assert_eq!(super::program(7), super::program(7));
        assert_ne!(super::program(7), super::program(8));
    }
}
