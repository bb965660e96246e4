// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes random integer C of the kind that signal processing has: products that are shifted back, rounding constants beside
//! their shift and away from it, saturation, masks, arrays, procedures and records; and its referee.
//!
//! The machine of the referee computes in 128 bits and notes what does not fit 32; the reals divide where it shifts.

use fastrand::Rng;

use super::program::Program;

/// An expression for clew, for the machine and in the reals.
#[derive(Clone)]
struct Texts {
    source: String,
    machine: String,
    real: String,
}

impl Texts {
    fn same(text: String) -> Texts {
        Texts { source: text.clone(), machine: text.clone(), real: text }
    }
}

struct Writer {
    rng: Rng,
    fraction: u32,
    source: Vec<String>,
    machine: String,
    real: String,
    variables: Vec<String>,
    counters: Vec<String>,
    elements: u32,
    next: u32,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1e6e5);
    let fraction = rng.u32(4..13);
    let inputs = rng.u32(1..4);
    let ranges: Vec<(i64, i64)> = (0..inputs)
        .map(|_| {
            let low = rng.i64(-2048..1024);
            (low, low + rng.i64(1..2048))
        })
        .collect();
    let scale = f64::from(1u32 << fraction);
    let mut comment = "/* clew-fixed:".to_owned();
    for (i, (low, high)) in ranges.iter().enumerate() {
        let (low, high) = (*low as f64 / scale, *high as f64 / scale);
        comment += &format!(" fixed entry.x{i}=q({},{fraction}) range x{i}={low}..{high}", 31 - fraction);
    }
    let mut writer = Writer {
        rng,
        fraction,
        source: vec![comment + " */", "#include <stdint.h>".to_owned()],
        machine: String::new(),
        real: String::new(),
        variables: Vec::new(),
        counters: Vec::new(),
        elements: 0,
        next: 0,
    };
    writer.helpers();
    writer.entry(inputs);
    let outputs = writer.variables.clone();
    let referee = referee(&writer, &ranges, &outputs, scale);
    Program { source: writer.source.join("\n") + "\n", referee }
}

impl Writer {
    fn line(&self) -> usize {
        self.source.len() + 1
    }

    fn put(&mut self, source: &str, machine: &str, real: &str) {
        self.source.push(format!("    {source}"));
        self.machine += &format!("    {machine}\n");
        self.real += &format!("    {real}\n");
    }

    fn same(&mut self, text: &str) {
        self.put(text, text, text);
    }

    /// Procedures that such code has: a rounded product, saturation, and a pair by value.
    fn helpers(&mut self) {
        let f = self.fraction;
        let texts = [
            "static int32_t mul(int32_t a, int32_t b) {".to_owned(),
            format!("    return (int32_t)(((int64_t)a * b + (1 << {})) >> {f});", f - 1),
            "}".to_owned(),
            "static int32_t clamp(int32_t a) {".to_owned(),
            "    if (a > 1000)".to_owned(),
            "        return 1000;".to_owned(),
            "    if (a < -1000)".to_owned(),
            "        return -1000;".to_owned(),
            "    return a;".to_owned(),
            "}".to_owned(),
            "struct pair { int32_t a, b; };".to_owned(),
            "static struct pair turn(struct pair p) {".to_owned(),
            "    struct pair r;".to_owned(),
            "    r.a = (p.a - p.b) >> 1;".to_owned(),
            "    r.b = (p.a + p.b) >> 1;".to_owned(),
            "    return r;".to_owned(),
            "}".to_owned(),
        ];
        let product = self.line() + 1;
        self.source.extend(texts);
        let turned = product + 12;
        self.machine += &format!(
            "static fx m_mul(fx a, fx b) {{ return fit((a * b + (1 << {})) >> {f}, {product}); }}\n\
             static fx m_turn(fx a, fx b, int which) {{ return which ? fit(a + b, {}) >> 1 : fit(a - b, {turned}) >> 1; }}\n",
            f - 1,
            turned + 1
        );
        self.real += &format!(
            "static long double r_mul(long double a, long double b) {{ return ldexpl(a * b, -{f}); }}\n\
             static long double r_clamp(long double a) {{\n\
             \x20   if (apart(a, 1000) && a > 1000) return 1000;\n\
             \x20   return apart(a, -1000) && a < -1000 ? -1000 : a;\n}}\n"
        );
    }

    fn entry(&mut self, inputs: u32) {
        let names: Vec<String> = (0..inputs).map(|i| format!("x{i}")).collect();
        let list = |ty: &str| names.iter().map(|n| format!("{ty} {n}")).collect::<Vec<_>>().join(", ");
        self.source.push(format!("int32_t entry({}) {{", list("int32_t")));
        self.machine += &format!("static void machine({}, fx *out) {{\n", list("fx"));
        self.real += &format!("static void real({}, long double *out) {{\n", list("long double"));
        self.variables = names;
        self.declare();
        if self.rng.bool() {
            self.array();
        }
        for _ in 0..self.rng.u32(2..6) {
            self.statement(2);
        }
        for (i, name) in self.variables.clone().iter().enumerate() {
            self.machine += &format!("    out[{i}] = {name};\n");
            self.real += &format!("    out[{i}] = {name};\n");
        }
        let last = self.variables.last().cloned().unwrap_or_default();
        self.source.push(format!("    return {last};"));
        self.source.push("}".to_owned());
        self.machine += "}\n";
        self.real += "}\n";
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.u32(0..12) {
            0 | 1 if depth > 0 => self.branch(depth - 1),
            2 | 3 if depth > 0 => self.repeat(depth - 1),
            4 => self.sum(),
            5 => self.pair(),
            6 | 7 => self.again(),
            8 if self.elements > 0 => {
                let (value, at) = (self.expression(1), self.rng.u32(0..self.elements));
                self.assign(&format!("t[{at}]"), "", &value);
            }
            _ => self.declare(),
        }
    }

    fn assign(&mut self, name: &str, declared: &str, value: &Texts) {
        let types = match declared {
            "" => ["", "", ""],
            _ => ["int32_t ", "fx ", "long double "],
        };
        self.put(
            &format!("{}{name} = {};", types[0], value.source),
            &format!("{}{name} = {};", types[1], value.machine),
            &format!("{}{name} = {};", types[2], value.real),
        );
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    fn declare(&mut self) {
        let value = self.expression(2);
        let name = self.fresh();
        self.assign(&name, "new", &value);
        self.variables.push(name);
    }

    fn again(&mut self) {
        let mine: Vec<String> = self.variables.iter().filter(|v| v.starts_with('v')).cloned().collect();
        let Some(name) = self.rng.choice(mine.iter()).cloned() else { return };
        let value = self.expression(2);
        self.assign(&name, "", &value);
    }

    fn array(&mut self) {
        let count = self.rng.u32(2..5);
        self.put(
            &format!("int32_t t[{count}];"),
            &format!("fx t[{count}];"),
            &format!("long double t[{count}];"),
        );
        for i in 0..count {
            let value = self.expression(1);
            self.assign(&format!("t[{i}]"), "", &value);
        }
        self.elements = count;
    }

    /// A sum of products that starts with the constant which makes its shift round.
    fn sum(&mut self) {
        let (name, half) = (self.fresh(), 1 << (self.fraction - 1));
        self.put(
            &format!("int32_t {name} = {half};"),
            &format!("fx {name} = {half};"),
            &format!("long double {name} = 0;"),
        );
        for _ in 0..self.rng.u32(1..4) {
            let (x, by) = (self.variable(), self.rng.i32(-300..300));
            let line = self.line();
            self.put(
                &format!("{name} += {x} * {by};"),
                &format!("{name} = fit({name} + fit({x} * ({by}), {line}), {line});"),
                &format!("{name} += {x} * {by};"),
            );
        }
        let f = self.fraction;
        self.put(
            &format!("{name} = {name} >> {f};"),
            &format!("{name} = {name} >> {f};"),
            &format!("{name} = ldexpl({name}, -{f});"),
        );
        self.variables.push(name);
    }

    fn pair(&mut self) {
        let (a, b, name) = (self.variable(), self.variable(), self.fresh());
        self.put(
            &format!("struct pair p{name} = {{{a}, {b}}}; p{name} = turn(p{name}); int32_t {name} = p{name}.a + p{name}.b;"),
            &format!(
                "fx {name} = fit(m_turn({a}, {b}, 0) + m_turn({a}, {b}, 1), {});",
                self.line()
            ),
            &format!("long double {name} = ({a} - {b}) / 2 + ({a} + {b}) / 2;"),
        );
        self.variables.push(name);
    }

    fn branch(&mut self, depth: u32) {
        let (left, right) = (self.expression(1), self.rng.i32(-900..900));
        let op = ["<", "<=", ">", ">="][self.rng.usize(0..4)];
        self.put(
            &format!("if ({} {op} {right}) {{", left.source),
            &format!("if ({} {op} {right}) {{", left.machine),
            &format!("if (apart({}, {right}) && {} {op} {right}) {{", left.real, left.real),
        );
        let known = self.variables.len();
        self.again();
        self.statement(depth);
        self.variables.truncate(known);
        self.same("} else {");
        self.again();
        self.variables.truncate(known);
        self.same("}");
    }

    fn repeat(&mut self, depth: u32) {
        let (counter, turns) = (format!("i{}", self.counters.len()), self.rng.u32(1..4));
        self.same(&format!("for (int {counter} = 0; {counter} < {turns}; {counter}++) {{"));
        self.counters.push(counter);
        let known = self.variables.len();
        self.again();
        self.statement(depth);
        self.variables.truncate(known);
        self.counters.pop();
        self.same("}");
    }

    fn variable(&mut self) -> String {
        if self.elements > 0 && self.rng.u32(0..5) == 0 {
            return format!("t[{}]", self.rng.u32(0..self.elements));
        }
        self.variables[self.rng.usize(0..self.variables.len())].clone()
    }

    /// An expression of 32 bits.
    fn expression(&mut self, depth: u32) -> Texts {
        if depth == 0 {
            return Texts::same(self.variable());
        }
        let line = self.line();
        let a = self.expression(depth - 1);
        let texts = |source: String, machine: String, real: String| Texts { source, machine, real };
        match self.rng.u32(0..12) {
            0 | 1 => {
                let b = self.variable();
                texts(
                    format!("mul({}, {b})", a.source),
                    format!("m_mul({}, {b})", a.machine),
                    format!("r_mul({}, {b})", a.real),
                )
            }
            2 => texts(
                format!("clamp({})", a.source),
                format!("m_clamp({})", a.machine),
                format!("r_clamp({})", a.real),
            ),
            3 | 4 => {
                let k = self.rng.u32(1..6);
                texts(
                    format!("({} >> {k})", a.source),
                    format!("(({}) >> {k})", a.machine),
                    format!("ldexpl({}, -{k})", a.real),
                )
            }
            5 => {
                let k = self.rng.u32(1..6);
                let half = 1 << (k - 1);
                texts(
                    format!("(({} + {half}) >> {k})", a.source),
                    format!("(fit({} + {half}, {line}) >> {k})", a.machine),
                    format!("ldexpl({}, -{k})", a.real),
                )
            }
            6 => {
                let k = self.rng.u32(1..6);
                texts(
                    format!("({} & ~{})", a.source, (1 << k) - 1),
                    format!("(({}) >> {k} << {k})", a.machine),
                    a.real,
                )
            }
            7 => {
                let by = self.rng.i32(2..40);
                texts(
                    format!("({} / {by})", a.source),
                    format!("(({}) / {by})", a.machine),
                    format!("({} / {by})", a.real),
                )
            }
            8 => {
                let by = self.rng.i32(-9..10);
                texts(
                    format!("({} * {by})", a.source),
                    format!("fit({} * ({by}), {line})", a.machine),
                    format!("({} * {by})", a.real),
                )
            }
            kind => {
                let (op, b) = (["+", "-"][(kind % 2) as usize], self.variable());
                texts(
                    format!("({} {op} {b})", a.source),
                    format!("fit({} {op} {b}, {line})", a.machine),
                    format!("({} {op} {b})", a.real),
                )
            }
        }
    }
}

/// Machine and reals side by side.
const RUNTIME: &str = r#"#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef __int128 fx;
static int overflowed, bad;
static char lines[4096];
static fx fit(fx a, int line) {
    if (a >= -2147483648LL && a <= 2147483647LL) return a;
    if (!overflowed) lines[line] = 1;
    overflowed = 1;
    if (a > ((fx)1 << 55) || a < -((fx)1 << 55)) bad = 1, a = 0;
    return a;
}
static fx m_clamp(fx a) { return a > 1000 ? 1000 : a < -1000 ? -1000 : a; }
/* Long doubles cannot tell equal reals from near ones: such runs are left out, unless machine and reals are integers. */
static int apart(long double a, long double b) {
    if (fabsl(a - b) < 1e-9L && a != b) bad = 1;
    return 1;
}
static unsigned long long seed = 88172645463325252ULL;
static long long pick(long long low, long long high) {
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return low + (long long)(seed % (unsigned long long)(high - low + 1));
}
"#;

fn referee(writer: &Writer, ranges: &[(i64, i64)], outputs: &[String], scale: f64) -> String {
    let count = outputs.len();
    let picks: Vec<String> = ranges.iter().map(|(low, high)| format!("pick({low}, {high})")).collect();
    let list: Vec<String> = (0..ranges.len()).map(|i| format!("x[{i}]")).collect();
    let (list, picks) = (list.join(", "), picks.join(", "));
    let names: Vec<String> = outputs.iter().map(|name| format!("\"{name}\"")).collect();
    // Inputs are shown in the unit that they stand for, what has no format in its own.
    let units: Vec<String> = outputs
        .iter()
        .map(|name| if name.starts_with('x') { format!("{scale}L") } else { "1.0L".to_owned() })
        .collect();
    format!(
        "{RUNTIME}{}{}
int main(int argc, char **argv) {{
    static const char *names[] = {{ {} }};
    static const long double units[] = {{ {} }};
    long double worst[{count}] = {{0}};
    for (long n = atol(argv[1]); n > 0; n--) {{
        long long x[] = {{ {picks} }};
        long double r[{count}];
        fx m[{count}];
        overflowed = bad = 0;
        machine({list}, m);
        real({list}, r);
        if (bad) continue;
        for (int i = 0; i < {count}; i++) {{
            long double e = fabsl(r[i] - (long double)m[i]) / units[i];
            if (e == e && e > worst[i]) worst[i] = e;
        }}
    }}
    for (int i = 0; i < {count}; i++) printf(\"error %s %.17Lg\\n\", names[i], worst[i]);
    for (int i = 1; i < 4096; i++) if (lines[i]) printf(\"overflow %d\\n\", i);
    return 0;
}}
",
        writer.machine,
        writer.real,
        names.join(", "),
        units.join(", ")
    )
}
