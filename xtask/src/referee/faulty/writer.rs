// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts operations into functions, branches and loops.
//!
//! A line has one operation, and a marker where all of it is evaluated whenever it is reached.

use fastrand::Rng;

use super::operations::{expression, operation};
use super::{Fault, Program};
use crate::referee::runs::PRELUDE;

const HEAD: &str = "\
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct S { int a, b; signed char c; int t[4]; struct S *next; };
static int g0, g1 = 3, arr[8] = {1, 2, 3, 5, 8, 13, 21, 34};
static unsigned w0 = 9, w1 = 4;
static signed char c0 = 1;
static struct S s1 = {.a = 9, .t = {7, 1}}, s0 = {1, 2, 3, {4, 5, 6, 7}, &s1};
static struct S *p0 = &s0;
";

struct Writer {
    rng: Rng,
    lines: Vec<String>,
    faults: Vec<Fault>,
    depth: usize,
    /// What is in scope as an int that can be read, and written to.
    readable: Vec<String>,
    writable: Vec<String>,
    /// Functions that can be called; each takes an int and a pointer to S.
    functions: Vec<String>,
    fresh: usize,
    /// Operations that may still be written.
    budget: usize,
}

/// A random program.
pub fn program(mut rng: Rng) -> Program {
    let budget = rng.usize(3..8);
    let lines = PRELUDE.lines().chain(HEAD.lines()).map(str::to_owned).collect();
    let mut writer = Writer {
        rng,
        lines,
        faults: Vec::new(),
        depth: 0,
        readable: Vec::new(),
        writable: Vec::new(),
        functions: Vec::new(),
        fresh: 0,
        budget: 2,
    };
    for number in 0..writer.rng.usize(0..3) {
        writer.budget = writer.rng.usize(1..3);
        writer.function(&format!("f{number}"));
    }
    writer.budget = budget;
    writer.main();
    Program { lines: writer.lines, faults: writer.faults }
}

impl Writer {
    /// A line with a marker.
    fn line(&mut self, text: &str) {
        let line = format!("{}AT {text}", "  ".repeat(self.depth));
        self.lines.push(line);
    }

    fn unmarked(&mut self, text: &str) {
        let line = format!("{}{text}", "  ".repeat(self.depth));
        self.lines.push(line);
    }

    fn number(&self) -> u32 {
        self.lines.len() as u32
    }

    fn function(&mut self, name: &str) {
        self.unmarked(&format!("static int {name}(int x, struct S *p) {{"));
        self.depth += 1;
        self.readable = ["x", "x", "p->a", "p->b", "g0"].map(str::to_owned).to_vec();
        self.writable = ["x", "p->a", "p->b", "g1", "p->t[1]"].map(str::to_owned).to_vec();
        self.statements();
        if self.rng.u8(..3) == 0 {
            let (a, b) = (self.read(), self.read());
            let value = expression(&mut self.rng, &a, &b);
            let text = format!("AT {}return {};", value.head(), value.text);
            self.fault(&text, &format!("return {};", value.mended));
        } else {
            let result = self.read();
            self.line(&format!("return {result};"));
        }
        self.depth -= 1;
        self.unmarked("}");
        self.functions.push(name.to_owned());
    }

    fn main(&mut self) {
        self.unmarked("int main(void) {");
        self.depth += 1;
        for name in ["v0", "v1"] {
            self.line(&format!("int {name} = __VERIFIER_nondet_int();"));
            if self.rng.bool() {
                let (low, high) = (self.rng.i32(-3..3), self.rng.i32(3..40));
                self.unmarked(&format!("if ({name} < {low} || {name} > {high}) {name} = {low};"));
            }
        }
        if self.rng.u8(..3) == 0 {
            self.line("w1 = __VERIFIER_nondet_uint();");
        }
        self.readable = ["v0", "v0", "v1", "g0", "g1", "p0->a", "s0.b", "c0"].map(str::to_owned).to_vec();
        self.writable = ["v0", "v1", "g0", "g1", "p0->a", "s0.b", "arr[2]"].map(str::to_owned).to_vec();
        self.statements();
        self.line("return 0;");
        self.depth -= 1;
        self.unmarked("}");
    }

    /// An operand without an effect, that does not fail by itself. Negative numbers are in parentheses.
    fn read(&mut self) -> String {
        if self.rng.u8(..5) == 0 {
            let number = [0, 1, 2, 3, 5, 7, 30, 31, 100, 2147483647][self.rng.usize(..10)];
            return if self.rng.u8(..4) == 0 { format!("(-{number})") } else { number.to_string() };
        }
        self.readable[self.rng.usize(..self.readable.len())].clone()
    }

    fn write(&mut self) -> String {
        self.writable[self.rng.usize(..self.writable.len())].clone()
    }

    fn statements(&mut self) {
        while self.budget > 0 {
            self.budget -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.rng.u8(..20) {
            0 | 1 if self.depth < 3 => self.branch(),
            16 | 17 if self.depth < 3 => self.failing_branch(),
            18 => self.alias(),
            19 => {
                let condition = self.condition();
                self.line(&format!("p0 = {condition} ? &s0 : &s1;"));
            }
            2 if self.depth < 3 => self.repeated(),
            3 | 4 if !self.functions.is_empty() => self.call(),
            5 => self.null(),
            6 => self.unwritten(),
            7 => {
                let (target, value) = (self.write(), self.read());
                self.line(&format!("{target} = {value};"));
            }
            8 => {
                let condition = self.condition();
                self.unmarked(&format!("if ({condition}) exit(0);"));
            }
            _ => self.operation(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.read(), self.read());
        let operator = ["<", ">", "==", "!=", "<="][self.rng.usize(..5)];
        format!("{a} {operator} {b}")
    }

    fn operation(&mut self) {
        let (target, a, b) = (self.write(), self.read(), self.read());
        let operation = operation(&mut self.rng, &target, &a, &b);
        self.fault(&format!("AT {}{}", operation.head(), operation.text), &operation.mended);
        if self.rng.u8(..3) == 0 {
            let limit = self.rng.i32(-2..40);
            let operator = [">=", "!=", "<", "<="][self.rng.usize(..4)];
            let condition = format!("{target} {operator} {limit}");
            self.fault(&format!("AT assert({condition});"), &format!("if (!({condition})) exit(0);"));
        }
    }

    /// A line that fails on some inputs.
    fn fault(&mut self, text: &str, mended: &str) {
        self.unmarked(text);
        let (line, indent) = (self.number(), "  ".repeat(self.depth));
        self.faults.push(Fault { line, mended_line: line, mended: format!("{indent}{mended}") });
    }

    fn inner(&mut self, most: usize) {
        let kept = self.budget;
        self.budget = self.rng.usize(1..=most).min(kept.max(1));
        let used = self.budget;
        self.depth += 1;
        let scope = (self.readable.len(), self.writable.len());
        self.statements();
        self.readable.truncate(scope.0);
        self.writable.truncate(scope.1);
        self.depth -= 1;
        self.budget = kept.saturating_sub(used);
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.unmarked(&format!("if ({condition}) {{"));
        self.inner(3);
        if self.rng.u8(..3) == 0 {
            self.unmarked("} else {");
            self.inner(2);
        }
        self.unmarked("}");
    }

    /// A branch on something that fails on some inputs.
    fn failing_branch(&mut self) {
        let (a, b, limit) = (self.read(), self.read(), self.read());
        let value = expression(&mut self.rng, &a, &b);
        let operator = [">", "<", "!=", "=="][self.rng.usize(..4)];
        let head = |value: &str| format!("if ({value} {operator} {limit}) {{");
        let text = format!("AT {}{}", value.head(), head(&format!("({})", value.text)));
        self.fault(&text, &head(&value.mended));
        self.inner(3);
        self.unmarked("}");
    }

    /// Another name of something.
    fn alias(&mut self) {
        let (name, condition) = (self.name("r"), self.condition());
        let (one, other) = (self.write(), self.write());
        self.unmarked(&format!("int *{name} = {condition} ? &{one} : &{other};"));
        self.readable.push(format!("*{name}"));
        self.writable.push(format!("*{name}"));
    }

    fn repeated(&mut self) {
        let name = self.name("i");
        let bound = match self.rng.u8(..3) {
            0 => format!("({} & 7)", self.read()),
            _ => self.rng.u8(1..10).to_string(),
        };
        self.unmarked(&format!("for (int {name} = 0; {name} < {bound}; {name}++) {{"));
        self.readable.push(name.clone());
        self.readable.push(name);
        self.inner(2);
        self.readable.truncate(self.readable.len() - 2);
        self.unmarked("}");
    }

    fn call(&mut self) {
        let function = self.functions[self.rng.usize(..self.functions.len())].clone();
        let (target, value) = (self.write(), self.read());
        let pointer = ["&s0", "p0", "&s1", "s0.next"][self.rng.usize(..4)];
        // It may not return.
        self.unmarked(&format!("{target} = {function}({value}, {pointer});"));
    }

    fn name(&mut self, start: &str) -> String {
        self.fresh += 1;
        format!("{start}{}", self.fresh)
    }

    /// A pointer that may be null.
    fn null(&mut self) {
        let (name, condition) = (self.name("q"), self.condition());
        let pointer = ["&s0", "&s1", "p0"][self.rng.usize(..3)];
        self.unmarked(&format!("struct S *{name} = {condition} ? {pointer} : 0;"));
        let (target, value) = (self.write(), self.read());
        if self.rng.bool() {
            let mended = format!("{target} = {name} ? {name}->b : 0;");
            self.fault(&format!("AT {target} = {name}->b;"), &mended);
        } else {
            self.fault(&format!("AT {name}->b = {value};"), &format!("if ({name}) {name}->b = {value};"));
        }
    }

    /// A variable that may be read before anything was written to it. The compiled program keeps count, because no
    /// sanitizer of gcc does.
    fn unwritten(&mut self) {
        let (base, condition) = (self.name("u"), self.condition());
        let indent = "  ".repeat(self.depth);
        let (declaration, initialiser, name) = match self.rng.u8(..3) {
            0 => (format!("struct S {base}"), "{1}", format!("{base}.a")),
            1 => (format!("int {base}[2]"), "{0, 1}", format!("{base}[1]")),
            _ => (format!("int {base}"), "1", base.clone()),
        };
        self.unmarked(&format!("{declaration}; RUNS({name} = clew_any(); int {base}_set = 0;)"));
        let declared = self.number();
        let mended = format!("{indent}{declaration} = {initialiser}; RUNS(int {base}_set = 1;)");
        let (value, target) = (self.read(), self.write());
        self.unmarked(&format!("if ({condition}) {{ {name} = {value}; RUNS({base}_set = 1;) }}"));
        self.line(&format!(
            "RUNS(if (!{base}_set) clew_violated(\"uninitialised-read\", __LINE__);) {target} = {name};"
        ));
        let line = self.number();
        self.faults.push(Fault { line, mended_line: declared, mended });
    }
}
