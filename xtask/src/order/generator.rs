// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes programs of expressions whose value depends on the order in which they are evaluated.
//!
//! Only calls have effects, so that no program is undefined. Each call writes down that it was made and changes what
//! others may read. Values are kept small: nothing overflows but by bad luck, and then the seed is skipped.

use std::fmt::Write;

use fastrand::Rng;

const START: &str = r#"#include <stdio.h>
struct S { int m; unsigned u; struct S *p; int v[4]; };
struct P { int a, b; };
static unsigned long lg;
static int x, y, *p, *px = &x, a[8];
static unsigned ux;
static long lx;
static short hx;
static char cx;
static double dx;
static struct S s0, s1, *q = &s1;
static int *lp;
static int t(int k)
{
    lg = lg * 31 + (unsigned)k;
    x = (x + k) & 7; y = (y * 3 + k) & 7; ux = (ux + (unsigned)k) & 7; lx = (lx ^ k) & 7; hx = (hx + k) & 7;
    cx = (cx + 1 + k) & 7; dx = (x + k) & 7; s0.m = (s0.m + k) & 7; s1.m = (s1.m + 3) & 7;
    s1.v[k & 3] = (s1.v[k & 3] + 1) & 7; a[k & 7] = (a[k & 7] + 5) & 7; s1.u = (s1.u + 1) & 7;
    p = &a[k & 7]; q = k & 1 ? &s0 : &s1; *lp = (*lp + k) & 7;
    return k & 7;
}
static int *tp(int k) { t(k); return &a[(k + 1) & 7]; }
static struct S *ts(int k) { t(k); return k & 1 ? &s1 : &s0; }
static struct S tv(int k) { t(k); return s1; }
static double td(int k) { t(k); return k & 3; }
static long tl(int k) { return t(k) & 3; }
static unsigned tu(int k) { return (unsigned)t(k) & 3; }
static int f2(int b, int c) { lg = lg * 31 + 7; return (b * 3 + c) & 7; }
static int f3(int b, long c, char d) { lg = lg * 31 + 9; return (int)((b + c * 2 + d) & 7); }
static int fs(struct S s, int k) { return (s.m * 5 + k) & 7; }
static int (*tf(int k))(int, int) { t(k); return f2; }
static int ret(int k);
static void show(int line, long r)
{
    lg = lg * 31 + (unsigned long)(x + 8 * y + 64 * (int)ux) + (unsigned long)(lx + 8 * cx + 64 * hx);
    for (int i = 0; i < 8; i++) lg = lg * 7 + (unsigned long)a[i];
    for (int i = 0; i < 4; i++) lg = lg * 7 + (unsigned long)(s0.v[i] + 8 * s1.v[i]);
    printf("%d %ld %lx %d %d\n", line, r, lg, s0.m, s1.m);
    lg = 1; x = 1; y = 2; ux = 3; lx = 4; hx = 5; cx = 6; dx = 7; p = a; q = &s1;
    s0.m = 1; s1.m = 2; s0.p = &s1; s1.p = &s0; s0.u = s1.u = 3;
    for (int i = 0; i < 8; i++) a[i] = i;
    for (int i = 0; i < 4; i++) s0.v[i] = s1.v[i] = i;
}
"#;

struct Writer {
    rng: Rng,
    calls: u32,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0dde);
    let mut writer = Writer { rng, calls: 0 };
    let mut text = START.to_owned();
    let returned = writer.number(3).replace("sl.", "s0.").replace("sl,", "s0,");
    let _ = writeln!(text, "static int ret(int k) {{ int loc = k; lp = &loc; return {returned}; }}");
    text += "int main(void)\n{\n    int loc = 1;\n    struct S sl = { 1, 2, &s0, { 3, 4, 5, 6 } };\n    long r = 0;\n    lp = &loc;\n    show(0, 0);\n    sl = s0;\n";
    for line in 1..=writer.rng.u32(10..30) {
        let statement = writer.statement();
        let _ = writeln!(
            text,
            "    r = 0; {statement} lp = &loc; show({line}, r + loc + sl.m * 8); loc = 1; sl = s0;"
        );
    }
    text + "    return 0;\n}\n"
}

impl Writer {
    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.rng.usize(0..list.len())]
    }

    fn call(&mut self) -> u32 {
        self.calls += 1;
        self.calls % 89
    }

    fn statement(&mut self) -> String {
        let (e, f) = (self.any(4), self.number(3));
        let op = self.pick(&["+", "-", "*", "|", "^", "&"]);
        let k = self.call();
        match self.rng.u8(0..26) {
            0..=6 => format!("r = (long)({e});"),
            7 => format!("a[({f}) & 7] = ({e});"),
            8 => format!("*tp({k}) = ({e});"),
            9 => format!("*tp({k}) {op}= ({f});"),
            // gcc evaluates variables in the index of a compound assignment twice, calls there once.
            10 => format!("a[({}) & 7] {op}= ({});", self.unknown(), self.number(2)),
            11 => format!("ts({k})->v[({f}) & 3] = ({e});"),
            12 => format!("ts({k})->m {op}= ({f});"),
            13 => format!(
                "{} {op}= ({f});",
                self.pick(&["x", "ux", "lx", "cx", "loc", "s0.m", "q->m", "*p", "hx"])
            ),
            14 => format!(
                "{} = ({e});",
                self.pick(&["x", "dx", "lx", "cx", "loc", "s0.m", "q->m", "*p", "sl.m", "hx"])
            ),
            15 => format!("*ts({k}) = {};", self.pick(&["s0", "s1", "sl", "tv(3)", "*ts(4)", "*q"])),
            16 => format!("{{ int z[2] = {{ {e}, {f} }}; r = z[0] + 8 * z[1]; }}"),
            17 => format!("{{ struct P w = {{ .b = {e}, .a = {f} }}; r = w.a + 8 * w.b; }}"),
            18 => format!("if ({e}) r = {f}; else r = 9;"),
            19 => format!("switch (({f}) & 3) {{ case 0: r = 1; break; case 1: r = {f}; }}"),
            20 => format!("for (int i = {f} & 1; i < (({e}) > 2) + 1; i++) r += 1;"),
            21 => format!("r = ret({f});"),
            22 => format!("printf(\"%d %d\\n\", (int)({e}), (int)({f}));"),
            23 => format!("r = sizeof(x) + ({e}) + ((struct P){{ {f}, 1 }}).a;"),
            24 => format!("s1.v[({f}) & 3] = a[({}) & 1];", self.number(2)),
            _ => format!(
                "a[({f}) & 7] = {};",
                self.pick(&["x", "*p", "q->m", "loc", "a[x]", "s1.v[1]", "s1.p->m", "hx"])
            ),
        }
    }

    /// An expression of any arithmetic type.
    fn any(&mut self, depth: u32) -> String {
        match self.rng.u8(0..10) {
            0 => format!("(double)({}) + {}", self.number(depth), self.pick(&["dx", "td(2)", "x"])),
            1 => {
                let left = self.pick(&["dx", "dx * 1", "td(1)", "(dx - 0)"]);
                format!("{left} {} ({})", self.pick(&["+", "*"]), self.number(depth))
            }
            2 => {
                let op = self.pick(&["+", "-", "<"]);
                format!("(long)({}) {op} {}", self.number(depth), self.pick(&["lx", "tl(3)"]))
            }
            3 => format!("({}) + ({})", self.unsigned(depth), self.unsigned(depth)),
            _ => self.number(depth),
        }
    }

    fn unsigned(&mut self, depth: u32) -> String {
        let k = self.call();
        match self.rng.u8(0..5) {
            0 => "ux".to_owned(),
            1 => format!("tu({k})"),
            2 => format!("(unsigned)({})", self.number(depth.saturating_sub(1))),
            3 => self.pick(&["ux + 0", "ux * 1u", "q->u", "s1.u", "(unsigned)x", "ux & ~0u"]).to_owned(),
            _ => "3u".to_owned(),
        }
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&[
            "x", "y", "x", "loc", "s0.m", "s1.v[1]", "a[2]", "*p", "q->m", "sl.m", "(int)lx", "cx", "hx",
            "*px", "(int)ux", "q->p->m",
        ])
    }

    /// A leaf that is no constant: gcc makes `f() || 1` and the like into `f(), 1`, which is not followed.
    fn unknown(&mut self) -> String {
        let k = self.call();
        if self.rng.bool() { self.variable().to_owned() } else { format!("t({k})") }
    }

    fn leaf(&mut self) -> String {
        let k = self.call();
        match self.rng.u8(0..12) {
            0..=4 => self.variable().to_owned(),
            5..=7 => format!("t({k})"),
            8..=9 => self.pick(&["tv(3).m", "ts(4)->m", "ts(7)->m"]).to_owned(),
            10 => format!("*tp({k})"),
            _ => format!("(int)td({k})"),
        }
    }

    /// An expression of integer type with a small value.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        let k = self.call();
        match self.rng.u8(0..24) {
            0..=6 => {
                let op = self.pick(&["+", "-", "*", "|", "^", "&", "<", "==", ">=", "!=", "+", "+"]);
                format!("(({}) {op} ({}))", self.number(d), self.number(d))
            }
            7..=10 => self.folded(d),
            11 => format!("f2({}, {})", self.number(d), self.number(d)),
            12 => format!("f3({}, {}, {})", self.number(d), self.number(d), self.number(d)),
            13 => format!("(t({k}), {})", self.number(d)),
            14 => format!("a[({}) & 7]", self.number(d)),
            // Arms that gcc could fold with what is around would be another order yet.
            15 => format!("(({}) ? f2({}, y) : t({k}))", self.unknown(), self.number(d)),
            16 => {
                let (left, right) = (self.unknown(), self.unknown());
                format!("(({left}) {} ({right}))", self.pick(&["&&", "||"]))
            }
            17 => {
                let op = self.pick(&["-", "!", "(short)", "(char)"]);
                format!("{op}({})", self.unknown())
            }
            18 => format!("({{ int v = {}; v; }})", self.number(d)),
            19 => {
                let record = self.pick(&["s0", "*q", "tv(5)", "*ts(6)", "sl"]);
                format!("fs({record}, {})", self.number(d))
            }
            20 => format!("tf({k})({}, {})", self.number(d), self.number(d)),
            21 => format!("ts({k})->v[({}) & 3]", self.number(d)),
            22 => format!("(({}) {} 3)", self.unknown(), self.pick(&["%", "/"])),
            _ => self.leaf(),
        }
    }

    /// An operation that leaves its operand as it is.
    fn folded(&mut self, depth: u32) -> String {
        let v = self.pick(&["x", "y", "loc"]);
        let w = self.pick(&["x", "y", "loc", "3"]);
        match self.rng.u8(0..10) {
            0 => return format!("({v} ? {v} : 0)"),
            1 => return format!("({v} == 0 ? 0 : {v})"),
            2 => return format!("({v} != {w} ? {v} : {w})"),
            3 => return format!("*&{v}"),
            4 => return format!("(&{v})[0]"),
            _ => {}
        }
        let e = if self.rng.bool() { v.to_owned() } else { self.number(depth) };
        match self.rng.u8(0..19) {
            0 => format!("({e}) * 1"),
            1 => format!("1 * ({e})"),
            2 => format!("({e}) + 0"),
            3 => format!("0 + ({e})"),
            4 => format!("({e}) - 0"),
            5 => format!("(({e}) | 0)"),
            6 => format!("(({e}) ^ 0)"),
            7 => format!("(({e}) << 0)"),
            8 => format!("(({e}) >> 0)"),
            9 => format!("+({e})"),
            10 => format!("(({e}) & -1)"),
            11 => format!("({e}) / 1"),
            12 => format!("(int)(long)({e})"),
            13 => format!("(0, {e})"),
            14 => format!("~~({e})"),
            15 => format!("-(-({e}))"),
            16 => format!("(1 ? ({e}) : 0)"),
            17 => format!("(int)(long)(unsigned)({e})"),
            _ => format!("(int)(unsigned)({e})"),
        }
    }
}
