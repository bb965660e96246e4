// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes random fixed-point programs: straight, branching, looping, with procedures and arrays; and their referee.

use fastrand::Rng;

/// A program, and the C that knows what it does.
pub struct Program {
    /// For clew.
    pub source: String,
    /// Machine and reals side by side.
    pub referee: String,
}

/// An expression in the three languages.
#[derive(Clone)]
struct Texts {
    source: String,
    machine: String,
    real: String,
}

struct Writer {
    rng: Rng,
    /// Lines of the program so far.
    source: Vec<String>,
    machine: String,
    real: String,
    /// Variables that have a value.
    variables: Vec<String>,
    /// Loop counters in scope.
    counters: Vec<String>,
    /// Elements of the array `t`, if it is filled by now.
    elements: u32,
    /// Helpers, by number of parameters.
    helpers: Vec<u32>,
    next: u32,
    /// How often a statement runs.
    weight: u32,
}

const MODES: [(&str, u32); 4] = [("half-up", 0), ("half-even", 1), ("truncate", 2), ("toward-zero", 3)];

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xf18ed);
    let (integer, fraction) = (rng.u32(2..8), rng.u32(2..9));
    let (mode, number) = MODES[rng.usize(0..MODES.len())];
    let saturates = rng.bool();
    let inputs = rng.u32(1..4);
    let ranges: Vec<(i32, i32)> = (0..inputs)
        .map(|_| {
            let low = rng.i32(-12..10);
            (low, low + rng.i32(1..10))
        })
        .collect();
    let mut comment = format!(
        "/* clew-fixed: fixed ALL=s{integer}.{fraction} round {mode} overflow {}",
        if saturates { "saturate" } else { "wrap" }
    );
    for (i, (low, high)) in ranges.iter().enumerate() {
        comment += &format!(" range x{i}={}..{}", f64::from(*low) / 4.0, f64::from(*high) / 4.0);
    }
    let mut writer = Writer {
        rng,
        source: vec![comment + " */", "#include <math.h>".to_owned()],
        machine: String::new(),
        real: String::new(),
        variables: Vec::new(),
        counters: Vec::new(),
        elements: 0,
        helpers: Vec::new(),
        next: 0,
        weight: 1,
    };
    for _ in 0..writer.rng.u32(0..3) {
        writer.helper();
    }
    writer.entry(inputs);
    let outputs = writer.variables.clone();
    let referee = referee(&writer, &ranges, &outputs, integer, fraction, number, saturates);
    Program { source: writer.source.join("\n") + "\n", referee }
}

impl Writer {
    fn line(&self) -> usize {
        self.source.len() + 1
    }

    /// A statement, on a line of its own.
    fn put(&mut self, source: &str, machine: &str, real: &str) {
        self.source.push(format!("    {source}"));
        self.machine += &format!("    {machine}\n");
        self.real += &format!("    {real}\n");
    }

    fn same(&mut self, text: &str) {
        self.put(text, text, text);
    }

    fn helper(&mut self) {
        let count = self.rng.u32(1..3);
        let id = self.helpers.len();
        let names: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
        let list = |ty: &str| names.iter().map(|n| format!("{ty} {n}")).collect::<Vec<_>>().join(", ");
        self.source.push(format!("static double f{id}({}) {{", list("double")));
        self.machine += &format!("static fx m_f{id}({}) {{\n", list("fx"));
        self.real += &format!("static long double r_f{id}({}) {{\n", list("long double"));
        self.variables = names;
        self.statements(2, 1);
        let value = self.expression(2);
        self.put(
            &format!("return {};", value.source),
            &format!("return {};", value.machine),
            &format!("return {};", value.real),
        );
        self.source.push("}".to_owned());
        self.machine += "}\n";
        self.real += "}\n";
        self.helpers.push(count);
    }

    fn entry(&mut self, inputs: u32) {
        let names: Vec<String> = (0..inputs).map(|i| format!("x{i}")).collect();
        let list = |ty: &str| names.iter().map(|n| format!("{ty} {n}")).collect::<Vec<_>>().join(", ");
        self.source.push(format!("double entry({}) {{", list("double")));
        self.machine += &format!("static void machine({}, fx *out) {{\n", list("fx"));
        self.real += &format!("static void real({}, long double *out) {{\n", list("long double"));
        self.variables = names;
        self.elements = 0;
        if self.rng.bool() {
            self.array();
        }
        let count = self.rng.u32(2..6);
        self.statements(count, 2);
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

    fn array(&mut self) {
        let count = self.rng.u32(2..5);
        self.put(
            &format!("double t[{count}];"),
            &format!("fx t[{count}];"),
            &format!("long double t[{count}];"),
        );
        for i in 0..count {
            let value = self.expression(1);
            self.put(
                &format!("t[{i}] = {};", value.source),
                &format!("t[{i}] = {};", value.machine),
                &format!("t[{i}] = {};", value.real),
            );
        }
        self.elements = count;
    }

    fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            match self.rng.u32(0..10) {
                0..=1 if depth > 0 => self.branch(depth - 1),
                2 if depth > 0 && self.weight < 20 => self.repeat(depth - 1),
                3 if self.elements > 0 => {
                    let value = self.expression(2);
                    let at = self.rng.u32(0..self.elements);
                    self.put(
                        &format!("t[{at}] = {};", value.source),
                        &format!("t[{at}] = {};", value.machine),
                        &format!("t[{at}] = {};", value.real),
                    );
                }
                4..=5 if self.variables.iter().any(|v| v.starts_with('v')) => self.again(),
                _ => self.declare(),
            }
        }
    }

    fn declare(&mut self) {
        let value = self.expression(2);
        let name = format!("v{}", self.next);
        self.next += 1;
        self.put(
            &format!("double {name} = {};", value.source),
            &format!("fx {name} = {};", value.machine),
            &format!("long double {name} = {};", value.real),
        );
        self.variables.push(name);
    }

    /// Assigns to a variable again.
    fn again(&mut self) {
        let mine: Vec<String> = self.variables.iter().filter(|v| v.starts_with('v')).cloned().collect();
        let Some(name) = self.rng.choice(mine.iter()).cloned() else { return };
        let value = self.expression(2);
        self.put(
            &format!("{name} = {};", value.source),
            &format!("{name} = {};", value.machine),
            &format!("{name} = {};", value.real),
        );
    }

    /// Both sides change variables that are there already.
    fn branch(&mut self, depth: u32) {
        if !self.variables.iter().any(|v| v.starts_with('v')) {
            return self.declare();
        }
        let (left, right) = (self.expression(1), self.leaf());
        let op = ["<", "<=", ">", ">="][self.rng.usize(0..4)];
        self.put(
            &format!("if ({} {op} {}) {{", left.source, right.source),
            &format!("if ({} {op} {}) {{", left.machine, right.machine),
            &format!("if (apart({}, {}) && {} {op} {}) {{", left.real, right.real, left.real, right.real),
        );
        let known = self.variables.len();
        self.again();
        if depth > 0 {
            self.statements(1, depth);
        }
        self.variables.truncate(known);
        self.same("} else {");
        self.again();
        self.variables.truncate(known);
        self.same("}");
    }

    fn repeat(&mut self, depth: u32) {
        if !self.variables.iter().any(|v| v.starts_with('v')) {
            return self.declare();
        }
        let (counter, turns) = (format!("i{}", self.counters.len()), self.rng.u32(1..5));
        self.same(&format!("for (int {counter} = 0; {counter} < {turns}; {counter}++) {{"));
        self.counters.push(counter);
        self.weight *= turns;
        let known = self.variables.len();
        self.again();
        self.statements(1, depth);
        self.variables.truncate(known);
        self.weight /= turns;
        self.counters.pop();
        self.same("}");
    }

    fn leaf(&mut self) -> Texts {
        match self.rng.u32(0..8) {
            0 => {
                let hundredths = self.rng.i32(-250..250);
                let sign = if hundredths < 0 { "-" } else { "" };
                let text = format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100);
                // A minus sign is an operation of its own: of a constant it is exact, and so rounded once.
                Texts {
                    source: format!("({text})"),
                    machine: format!("rnd({hundredths}, 100)"),
                    real: format!("({hundredths}.0L / 100)"),
                }
            }
            1 if self.elements > 0 => {
                let at = self.rng.u32(0..self.elements);
                let text = format!("t[{at}]");
                Texts { source: text.clone(), machine: text.clone(), real: text }
            }
            2 if !self.counters.is_empty() => {
                let name = self.counters[self.rng.usize(0..self.counters.len())].clone();
                Texts {
                    source: name.clone(),
                    machine: format!("rnd({name}, 1)"),
                    real: format!("((long double){name})"),
                }
            }
            _ => self.variable(),
        }
    }

    fn variable(&mut self) -> Texts {
        let name = self.variables[self.rng.usize(0..self.variables.len())].clone();
        Texts { source: name.clone(), machine: name.clone(), real: name }
    }

    /// An expression with a variable in it: constants alone are computed exactly.
    fn expression(&mut self, depth: u32) -> Texts {
        if depth == 0 {
            return self.variable();
        }
        let line = self.line();
        match self.rng.u32(0..12) {
            0 => {
                let a = self.expression(depth - 1);
                Texts {
                    source: format!("fabs({})", a.source),
                    machine: format!("m_abs({})", a.machine),
                    real: format!("fabsl({})", a.real),
                }
            }
            1 => {
                let a = self.expression(depth - 1);
                Texts {
                    source: format!("sqrt(fabs({}))", a.source),
                    machine: format!("m_root(m_abs({}), {line})", a.machine),
                    real: format!("sqrtl(fabsl({}))", a.real),
                }
            }
            2 | 3 if !self.helpers.is_empty() => {
                let id = self.rng.usize(0..self.helpers.len());
                let arguments: Vec<Texts> =
                    (0..self.helpers[id]).map(|_| self.expression(depth - 1)).collect();
                let list = |f: fn(&Texts) -> &String| {
                    arguments.iter().map(|a| f(a).clone()).collect::<Vec<_>>().join(", ")
                };
                Texts {
                    source: format!("f{id}({})", list(|a| &a.source)),
                    machine: format!("m_f{id}({})", list(|a| &a.machine)),
                    real: format!("r_f{id}({})", list(|a| &a.real)),
                }
            }
            4 => {
                let a = self.expression(depth - 1);
                let by = self.rng.u32(2..12);
                Texts {
                    source: format!("({} / {by}.0)", a.source),
                    machine: format!("m_div({}, rnd({by}, 1), {line})", a.machine),
                    real: format!("({} / {by})", a.real),
                }
            }
            5 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                Texts {
                    source: format!("({} / (fabs({}) + 0.5))", a.source, b.source),
                    machine: format!(
                        "m_div({}, m_add(m_abs({}), rnd(1, 2), {line}), {line})",
                        a.machine, b.machine
                    ),
                    real: format!("({} / (fabsl({}) + 0.5L))", a.real, b.real),
                }
            }
            kind => {
                let (op, name) = [("+", "m_add"), ("-", "m_sub"), ("*", "m_mul")][(kind % 3) as usize];
                let (a, b) = (self.expression(depth - 1), self.leaf());
                Texts {
                    source: format!("({} {op} {})", a.source, b.source),
                    machine: format!("{name}({}, {}, {line})", a.machine, b.machine),
                    real: format!("({} {op} {})", a.real, b.real),
                }
            }
        }
    }
}

/// The arithmetic of the machine in scaled integers.
const RUNTIME: &str = r#"#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef __int128 fx;
static int overflowed, bad;
static char lines[4096];
static fx divide(fx a, fx b) {
    if (b < 0) { a = -a; b = -b; }
    fx q = a / b, r = a % b;
    if (r < 0) { r += b; q--; }
    switch (MODE) {
    case 0: return q + (2 * r >= b);
    case 1: return q + (2 * r > b || (2 * r == b && (q & 1)));
    case 3: return q + (q < 0 && r != 0);
    default: return q;
    }
}
static fx rnd(fx a, fx b) { return divide(a * ((fx)1 << FRACTION), b); }
static fx fit(fx a, int line) {
    fx high = ((fx)1 << (INTEGER + FRACTION)) - 1, low = -high - 1;
    if (a >= low && a <= high) return a;
    if (SATURATES || !overflowed) lines[line] = 1;
    overflowed = 1;
    if (a > ((fx)1 << 60) || a < -((fx)1 << 60)) bad = 1, a = 0;
    return SATURATES ? (a > high ? high : low) : a;
}
static fx m_add(fx a, fx b, int line) { return fit(a + b, line); }
static fx m_sub(fx a, fx b, int line) { return fit(a - b, line); }
static fx m_mul(fx a, fx b, int line) { return fit(divide(a * b, (fx)1 << FRACTION), line); }
static fx m_div(fx a, fx b, int line) {
    if (b == 0) { bad = 1; return 0; }
    return fit(divide(a * ((fx)1 << FRACTION), b), line);
}
static fx m_abs(fx a) { return a < 0 ? -a : a; }
static fx m_root(fx a, int line) {
    fx u = a << FRACTION, r = 0;
    for (fx bit = (fx)1 << 40; bit; bit >>= 1) if ((r + bit) * (r + bit) <= u) r += bit;
    if (MODE < 2 && u - r * r > r) r++;
    return fit(r, line);
}
static fx input(long double x, int line) {
    long double s = ldexpl(x, FRACTION), f = floorl(s), r = s - f;
    fx q = (fx)f;
    switch (MODE) {
    case 0: q += r >= 0.5L; break;
    case 1: q += r > 0.5L || (r == 0.5L && (q & 1)); break;
    case 3: q += q < 0 && r > 0; break;
    }
    return fit(q, line);
}
/* Long doubles cannot tell equal reals from near ones: such runs are left out. */
static int apart(long double a, long double b) {
    if (fabsl(a - b) < 1e-12L) bad = 1;
    return 1;
}
static unsigned long long seed = 88172645463325252ULL;
static long double draw(void) {
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return (long double)(seed >> 11) / 9007199254740992.0L;
}
/* A number of the range, often where rounding is worst. */
static long double pick(long double low, long double high) {
    long double x = low + (high - low) * draw(), s = ldexpl(1, -FRACTION), on = floorl(x / s) * s;
    switch ((int)(draw() * 6)) {
    case 0: x = on; break;
    case 1: x = on + s / 2; break;
    case 2: x = on + s / 2 - s * 1e-9L; break;
    case 3: x = on + s / 2 + s * 1e-9L; break;
    }
    return x < low ? low : x > high ? high : x;
}
"#;

fn referee(
    writer: &Writer,
    ranges: &[(i32, i32)],
    outputs: &[String],
    integer: u32,
    fraction: u32,
    mode: u32,
    saturates: bool,
) -> String {
    let count = outputs.len();
    let picks: Vec<String> =
        ranges.iter().map(|(low, high)| format!("pick({low}.0L / 4, {high}.0L / 4)")).collect();
    let machine: Vec<String> = (0..ranges.len()).map(|i| format!("input(x[{i}], 0)")).collect();
    let reals: Vec<String> = (0..ranges.len()).map(|i| format!("x[{i}]")).collect();
    let names: Vec<String> = outputs.iter().map(|name| format!("\"{name}\"")).collect();
    format!(
        "#define INTEGER {integer}\n#define FRACTION {fraction}\n#define MODE {mode}\n#define SATURATES {}\n{RUNTIME}{}{}
int main(int argc, char **argv) {{
    static const char *names[] = {{ {} }};
    long double worst[{count}] = {{0}};
    for (long n = atol(argv[1]); n > 0; n--) {{
        long double x[] = {{ {} }}, r[{count}];
        fx m[{count}];
        overflowed = bad = 0;
        machine({}, m);
        real({}, r);
        if (bad) continue;
        for (int i = 0; i < {count}; i++) {{
            long double e = fabsl(r[i] - ldexpl((long double)m[i], -FRACTION));
            if (e == e && e > worst[i]) worst[i] = e;
        }}
    }}
    for (int i = 0; i < {count}; i++) printf(\"error %s %.17Lg\\n\", names[i], worst[i]);
    for (int i = 1; i < 4096; i++) if (lines[i]) printf(\"overflow %d\\n\", i);
    return 0;
}}
",
        u32::from(saturates),
        writer.machine,
        writer.real,
        names.join(", "),
        picks.join(", "),
        machine.join(", "),
        reals.join(", ")
    )
}
