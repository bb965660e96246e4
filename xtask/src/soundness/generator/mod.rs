// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random C programs with bugs, for judging proofs by running.
//!
//! csmith's programs are free of undefined behaviour by wrapping every operation, so that an analysis has little to
//! prove in them and nothing to miss. These are the opposite: most operations are guarded in the ways that people
//! guard them (a test before, a mask, a loop bound, a clamp), and now and then the guard is missing or off by one. An
//! analysis should prove much of such a program, and every mistake is an opportunity to prove too much.
//!
//! Programs need not end: runs have a limit of steps, and what was seen up to there counts.

pub mod clocked;
mod corner;
mod cursor;
mod expression;
pub mod filters;
pub mod flags;
mod idiom;
mod library;
mod loops;
pub mod parts;
pub mod phases;
pub mod pointers;
mod statement;
pub mod sums;
mod types;

use std::fmt::Write;

use fastrand::Rng;
pub use types::Scalar;
use types::{Record, Shape, Variable};

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.unit();
    generator.text
}

/// What every program may call.
const DECLARATIONS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
extern int memcmp(const void *, const void *, unsigned long);
extern unsigned long strlen(const char *);
extern char *strcpy(char *, const char *);
extern char *strncpy(char *, const char *, unsigned long);
extern char *strcat(char *, const char *);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, unsigned long);
extern char *strchr(const char *, int);
extern double sqrt(double);
extern double fabs(double);
extern double floor(double);
extern int abs(int);
";

/// A helper that was generated and may be called.
#[derive(Clone)]
struct Helper {
    name: String,
    result: Scalar,
    parameters: Vec<Parameter>,
}

#[derive(Clone, Copy)]
enum Parameter {
    Value(Scalar),
    /// A pointer to this many elements at least.
    Array(Scalar, u64),
    Pointer(Scalar),
    Record(usize),
}

/// Makes one program.
struct Generator {
    rng: Rng,
    text: String,
    indent: usize,
    /// Everything in scope; a block forgets what it declared.
    scope: Vec<Variable>,
    records: Vec<Record>,
    helpers: Vec<Helper>,
    next_name: u32,
    /// Statements that may still be made.
    budget: i32,
    /// Loops around the present place.
    loops: u32,
    /// How many operations in a hundred are left unguarded.
    mistakes: u32,
    /// What `return` returns here.
    result: Scalar,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed);
        let mistakes = [1, 5, 10, 15, 25][rng.usize(..5)];
        Generator {
            rng,
            text: [DECLARATIONS, corner::SUPPORT, cursor::SUPPORT].concat(),
            indent: 0,
            scope: Vec::new(),
            records: Vec::new(),
            helpers: Vec::new(),
            next_name: 0,
            budget: 0,
            loops: 0,
            mistakes,
            result: Scalar::I32,
        }
    }

    fn unit(&mut self) {
        for _ in 0..self.rng.u32(0..3) {
            self.record();
        }
        for _ in 0..self.rng.u32(2..7) {
            self.global();
        }
        for _ in 0..self.rng.u32(0..4) {
            self.helper();
        }
        self.main();
    }

    // Text.

    fn line(&mut self, text: impl AsRef<str>) {
        let width = self.indent * 4;
        let _ = writeln!(self.text, "{:width$}{}", "", text.as_ref());
    }

    /// A line that opens a block, its content, and the line that closes it. What the content declares is forgotten.
    fn block(&mut self, head: &str, content: impl FnOnce(&mut Generator), tail: &str) {
        self.line(format!("{head} {{"));
        self.indent += 1;
        let known = self.scope.len();
        content(self);
        self.scope.truncate(known);
        self.indent -= 1;
        self.line(format!("}}{tail}"));
    }

    fn name(&mut self, stem: &str) -> String {
        self.next_name += 1;
        format!("{stem}{}", self.next_name)
    }

    // Chance.

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    /// Whether to leave a guard out, or put it one off.
    fn mistake(&mut self) -> bool {
        let percent = self.mistakes;
        self.chance(percent)
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.rng.usize(..items.len())].clone()
    }

    // Parts of a unit.

    fn record(&mut self) {
        let is_union = self.chance(30);
        let name = self.name(if is_union { "U" } else { "S" });
        let mut fields = Vec::new();
        for index in 0..self.rng.usize(2..5) {
            let element = Scalar::any(&mut self.rng);
            let length = if self.chance(25) { Some(self.rng.u64(2..6)) } else { None };
            fields.push((format!("f{index}"), element, length));
        }
        let word = if is_union { "union" } else { "struct" };
        let tag = format!("{word} {name}");
        let declared: Vec<String> = fields
            .iter()
            .map(|(name, element, length)| match length {
                Some(length) => format!("    {} {name}[{length}];\n", element.c()),
                None => format!("    {} {name};\n", element.c()),
            })
            .collect();
        let _ = writeln!(self.text, "{tag} {{\n{}}};", declared.concat());
        self.records.push(Record { tag, fields });
    }

    fn global(&mut self) {
        let name = self.name("g");
        let element = Scalar::any(&mut self.rng);
        let shape = match self.rng.u32(0..10) {
            0..=4 => {
                let value = self.literal(element);
                self.line(format!("{} {name} = {value};", element.c()));
                Shape::Scalar(element)
            }
            5..=6 => {
                let length = self.array_length();
                self.line(format!("{} {name}[{length}];", element.c()));
                Shape::Array(element, length)
            }
            7 => {
                let length = self.rng.u64(3..7);
                let values: Vec<String> = (0..length).map(|_| self.literal(element)).collect();
                let constant = if self.chance(50) { "static const " } else { "" };
                self.line(format!("{constant}{} {name}[{length}] = {{{}}};", element.c(), values.join(", ")));
                if constant.is_empty() {
                    Shape::Array(element, length)
                } else {
                    Shape::Table(element, length)
                }
            }
            8 if !self.records.is_empty() => {
                let record = self.rng.usize(..self.records.len());
                self.line(format!("{} {name};", self.records[record].tag));
                Shape::Record(record)
            }
            _ => {
                self.line(format!("{} *{name};", element.c()));
                Shape::Pointer(element)
            }
        };
        self.scope.push(Variable::new(name, shape));
    }

    fn helper(&mut self) {
        let name = self.name("h");
        let result = Scalar::any(&mut self.rng);
        let mut parameters = Vec::new();
        let known = self.scope.len();
        let mut declared = Vec::new();
        for _ in 0..self.rng.u32(1..4) {
            let element = Scalar::any(&mut self.rng);
            let parameter = self.name("p");
            let kind = match self.rng.u32(0..8) {
                0..=3 => Parameter::Value(element),
                4..=5 => Parameter::Array(element, self.rng.u64(2..9)),
                6 if !self.records.is_empty() => Parameter::Record(self.rng.usize(..self.records.len())),
                _ => Parameter::Pointer(element),
            };
            let (text, shape) = match kind {
                Parameter::Value(element) => (format!("{} {parameter}", element.c()), Shape::Scalar(element)),
                Parameter::Array(element, length) => {
                    (format!("{} *{parameter}", element.c()), Shape::Array(element, length))
                }
                Parameter::Pointer(element) => {
                    (format!("{} *{parameter}", element.c()), Shape::Pointer(element))
                }
                Parameter::Record(record) => {
                    (format!("{} *{parameter}", self.records[record].tag), Shape::RecordPointer(record))
                }
            };
            declared.push(text);
            self.scope.push(Variable::new(parameter, shape));
            parameters.push(kind);
        }
        let recursive = self.chance(20);
        if recursive {
            declared.push("int depth".into());
        }
        let head = format!("{} {name}({})", result.c(), declared.join(", "));
        self.result = result;
        self.block(
            &head,
            |g| {
                g.budget = g.rng.i32(3..10);
                if recursive {
                    g.recursion(&name, result, &parameters);
                }
                if g.chance(25) {
                    g.static_counter();
                }
                g.statements();
                let value = g.expression(result, 2);
                g.line(format!("return {value};"));
            },
            "",
        );
        self.scope.truncate(known);
        if !recursive {
            self.helpers.push(Helper { name, result, parameters });
        } else {
            self.wrap_recursion(&name, result, &parameters);
        }
    }

    /// A call of itself with one level less. Parameters are handed on.
    fn recursion(&mut self, name: &str, result: Scalar, parameters: &[Parameter]) {
        let names: Vec<String> =
            self.scope[self.scope.len() - parameters.len()..].iter().map(|v| v.name.clone()).collect();
        let least = if self.mistake() { -1 } else { 0 };
        let local = self.name("r");
        self.line(format!("{} {local} = 0;", result.c()));
        let call = format!("{local} = {name}({}, depth - 1);", names.join(", "));
        self.block(&format!("if (depth > {least})"), |g| g.line(call), "");
        self.scope.push(Variable::new(local, Shape::Scalar(result)));
        self.scope.push(Variable::counter("depth".into(), 0, 8));
    }

    /// A function that starts a recursion, so that callers need not know of it.
    fn wrap_recursion(&mut self, name: &str, result: Scalar, parameters: &[Parameter]) {
        let outer = self.name("h");
        let declared: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| match parameter {
                Parameter::Value(element) => format!("{} a{index}", element.c()),
                Parameter::Array(element, _) | Parameter::Pointer(element) => {
                    format!("{} *a{index}", element.c())
                }
                Parameter::Record(record) => format!("{} *a{index}", self.records[*record].tag),
            })
            .collect();
        let depth = self.rng.u32(1..6);
        let names: Vec<String> = (0..parameters.len()).map(|index| format!("a{index}")).collect();
        let body = format!("return {name}({}, {depth});", names.join(", "));
        let head = format!("{} {outer}({})", result.c(), declared.join(", "));
        self.block(&head, |g| g.line(body), "");
        self.helpers.push(Helper { name: outer, result, parameters: parameters.to_vec() });
    }

    fn main(&mut self) {
        self.result = Scalar::I32;
        self.block(
            "int main(void)",
            |g| {
                g.budget = g.rng.i32(8..24);
                for _ in 0..g.rng.u32(1..5) {
                    g.input();
                }
                g.statements();
                for _ in 0..g.rng.u32(0..4) {
                    g.assertion();
                }
                let value = g.expression(Scalar::I32, 1);
                g.line(format!("return ({value}) & 1;"));
            },
            "",
        );
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
