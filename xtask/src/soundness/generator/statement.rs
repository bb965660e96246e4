// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements: declarations, assignments, branches, and the choice between all kinds.

use super::Generator;
use super::types::{Scalar, Shape, Variable};

impl Generator {
    /// As many statements as the budget allows, here.
    pub(super) fn statements(&mut self) {
        while self.budget > 0 {
            self.statement();
        }
    }

    /// A few statements in a block of their own.
    pub(super) fn some_statements(&mut self) {
        for _ in 0..self.rng.u32(1..4) {
            if self.budget > 0 {
                self.statement();
            }
        }
    }

    fn statement(&mut self) {
        self.budget -= 1;
        match self.rng.u32(0..100) {
            0..=9 => self.declaration(),
            10..=27 => self.assignment(),
            28..=37 => self.branch(),
            38..=51 => self.a_loop(),
            52..=57 => self.switch(),
            58..=63 => self.pointer(),
            64..=66 => self.input(),
            67..=69 => self.array(),
            70..=72 => self.records_statement(),
            73..=76 => self.string(),
            77..=81 => self.heap(),
            82..=87 => self.idiom(),
            88..=91 => self.cursor(),
            92..=97 => self.corner(),
            _ => {
                if let Some((call, _)) = self.call(1) {
                    self.line(format!("{call};"));
                }
            }
        }
    }

    /// A variable with any value of its type, narrowed in one of many ways or not at all.
    pub(super) fn input(&mut self) {
        let scalar = Scalar::any(&mut self.rng);
        let name = self.name("x");
        self.line(format!("{} {name} = {};", scalar.c(), scalar.nondet()));
        if scalar == Scalar::Bool {
            self.scope.push(Variable::new(name, Shape::Scalar(scalar)));
            return;
        }
        let (low, high) = (self.rng.i64(-10..10), self.rng.i64(10..60));
        let low = if scalar.is_signed() || scalar.is_float() { low } else { low.abs() };
        let result = if self.result.is_float() { "0.0" } else { "0" };
        match self.rng.u32(0..9) {
            0 => self.line(format!("if ({name} < {low} || {name} > {high}) return {result};")),
            1 => self.line(format!("__VERIFIER_assume({name} >= {low} && {name} <= {high});")),
            2 => {
                self.line(format!("if ({name} < {low}) {name} = {low};"));
                self.line(format!("if ({name} > {high}) {name} = {high};"));
            }
            3 if !scalar.is_float() => {
                let mask = self.pick(&[1, 3, 7, 15, 31, 63, 127, 12, 40]);
                self.line(format!("{name} &= {mask};"));
            }
            4 if !scalar.is_float() => self.line(format!("{name} %= {high};")),
            5 => self.line(format!("{name} = {name} >= {low} && {name} < {high} ? {name} : {low};")),
            6 => self.line(format!("if (!({name} >= {low} && {name} <= {high})) return {result};")),
            _ => {}
        }
        self.scope.push(Variable::new(name, Shape::Scalar(scalar)));
    }

    fn declaration(&mut self) {
        let scalar = Scalar::any(&mut self.rng);
        let name = self.name("v");
        if self.chance(20) {
            // Assigned in one branch, and in the other unless there is a mistake.
            let condition = self.condition(1);
            let (then, otherwise) = (self.expression(scalar, 1), self.expression(scalar, 1));
            self.line(format!("{} {name};", scalar.c()));
            self.line(format!("if ({condition}) {name} = {then};"));
            if !self.mistake() {
                self.line(format!("else {name} = {otherwise};"));
            } else if self.chance(50) && !scalar.is_float() {
                // Read at once, before the run can end elsewhere.
                let sum = self.name("v");
                self.line(format!("unsigned int {sum} = 0;"));
                let turns = self.rng.u32(1..5);
                self.line(format!("for (int k = 0; k < {turns}; k++) {sum} += (unsigned int){name};"));
            }
        } else {
            let value = self.expression(scalar, 2);
            self.line(format!("{} {name} = {value};", scalar.c()));
        }
        self.scope.push(Variable::new(name, Shape::Scalar(scalar)));
    }

    pub(super) fn array_length(&mut self) -> u64 {
        self.pick(&[2, 3, 4, 5, 8, 8, 10, 16, 40])
    }

    /// A local array, filled in one of many ways.
    fn array(&mut self) {
        let scalar = Scalar::any(&mut self.rng);
        let (name, length) = (self.name("a"), self.array_length());
        match self.rng.u32(0..4) {
            0 => self.line(format!("{} {name}[{length}] = {{0}};", scalar.c())),
            1 => {
                self.line(format!("{} {name}[{length}];", scalar.c()));
                self.line(format!("memset({name}, 0, sizeof {name});"));
            }
            2 => {
                let values: Vec<String> = (0..length.min(6)).map(|_| self.literal(scalar)).collect();
                self.line(format!("{} {name}[{length}] = {{{}}};", scalar.c(), values.join(", ")));
            }
            _ => {
                self.line(format!("{} {name}[{length}];", scalar.c()));
                let counter = self.name("i");
                let (first, limit) = match self.mistake() {
                    true if self.chance(50) => (1, length),
                    true => (0, length + 1),
                    false => (0, length),
                };
                let head = format!("for (int {counter} = {first}; {counter} < {limit}; {counter}++)");
                self.scope.push(Variable::counter(counter.clone(), 0, length as i64));
                let value = self.expression(scalar, 1);
                self.scope.pop();
                self.line(format!("{head} {name}[{counter}] = {value};"));
            }
        }
        self.scope.push(Variable::new(name, Shape::Array(scalar, length)));
    }

    /// A place to assign to, and its type.
    pub(super) fn target(&mut self) -> Option<(String, Scalar)> {
        for _ in 0..6 {
            let index = self.rng.usize(..self.scope.len().max(1));
            let variable = self.scope.get(index)?.clone();
            let name = variable.name;
            match variable.shape {
                Shape::Scalar(scalar) => return Some((name, scalar)),
                Shape::Array(scalar, length) => {
                    let index = self.index(length);
                    return Some((format!("{name}[{index}]"), scalar));
                }
                Shape::Reference(scalar) => return Some((format!("*{name}"), scalar)),
                Shape::Pointer(scalar) if self.mistake() => return Some((format!("*{name}"), scalar)),
                Shape::Pointer(scalar) => {
                    // Written through only where it is not null.
                    let value = self.expression(scalar, 1);
                    self.line(format!("if ({name}) *{name} = {value};"));
                }
                Shape::Record(record) | Shape::RecordPointer(record) => {
                    let dot = if matches!(variable.shape, Shape::Record(_)) { "." } else { "->" };
                    let fields = self.records[record].fields.clone();
                    let (field, scalar, length) = self.pick(&fields);
                    let index = length.map(|length| format!("[{}]", self.index(length))).unwrap_or_default();
                    return Some((format!("{name}{dot}{field}{index}"), scalar));
                }
                Shape::Counter(..) | Shape::Table(..) => {}
            }
        }
        None
    }

    fn assignment(&mut self) {
        let Some((target, scalar)) = self.target() else { return };
        let value = self.expression(scalar, 2);
        match self.rng.u32(0..6) {
            0 if self.mistake() => {
                let op = self.pick(&["++", "--"]);
                self.line(format!("{target}{op};"));
            }
            0 => {
                let limit = self.rng.u32(5..120);
                self.line(format!("if ({target} < {limit}) {target}++;"));
            }
            1 if scalar.is_float() || !scalar.is_signed() || self.mistake() => {
                let op = self.pick(&["+=", "-=", "*="]);
                self.line(format!("{target} {op} {value};"));
            }
            2 if !scalar.is_float() => {
                let op = self.pick(&["&=", "|=", "^="]);
                self.line(format!("{target} {op} {value};"));
            }
            _ => self.line(format!("{target} = {value};")),
        }
    }

    fn branch(&mut self) {
        let condition = self.condition(1);
        let otherwise = self.chance(45);
        self.block(&format!("if ({condition})"), Generator::some_statements, "");
        if otherwise {
            self.block("else", Generator::some_statements, "");
        }
    }

    fn switch(&mut self) {
        let scalar = Scalar::integer(&mut self.rng);
        let value = self.leaf(scalar);
        let cases = self.rng.u32(2..5);
        let default = self.chance(60);
        let content = |g: &mut Generator| {
            for case in 0..cases {
                let first = if scalar == Scalar::Bool { case } else { case * 3 };
                let label = if g.chance(20) && scalar != Scalar::Bool {
                    format!("case {first} ... {}:", first + 1)
                } else {
                    format!("case {first}:")
                };
                let falls = g.chance(20);
                g.block(&label, Generator::some_statements, if falls { "" } else { " break;" });
            }
            if default {
                g.block("default:", Generator::some_statements, "");
            }
        };
        self.block(&format!("switch ((int)({value}))"), content, "");
    }

    /// Pointers to variables, to pointers, and to functions.
    fn pointer(&mut self) {
        let scalar = Scalar::any(&mut self.rng);
        let name = self.name("q");
        match self.rng.u32(0..5) {
            0..=1 => {
                let value = self.pointer_value(scalar);
                self.line(format!("{} *{name} = {value};", scalar.c()));
                self.scope.push(Variable::new(name, Shape::Pointer(scalar)));
            }
            2 => {
                let known: Vec<Variable> = self.scope.clone();
                let pointers = known.iter().enumerate();
                let pointers: Vec<(usize, Scalar)> = pointers
                    .filter_map(|(at, v)| match v.shape {
                        Shape::Pointer(scalar) => Some((at, scalar)),
                        _ => None,
                    })
                    .collect();
                let Some((at, scalar)) = (!pointers.is_empty()).then(|| self.pick(&pointers)) else { return };
                // Only what lives as long as the pointer, unless there is a mistake.
                let later = if self.mistake() { Vec::new() } else { self.scope.split_off(at) };
                let value = self.pointer_value(scalar);
                self.scope.extend(later);
                self.line(format!("{} = {value};", known[at].name));
            }
            3 => self.pointer_to_pointer(scalar),
            _ => self.reference(scalar),
        }
    }

    fn pointer_to_pointer(&mut self, scalar: Scalar) {
        let (target, pointer, double) = (self.name("v"), self.name("q"), self.name("qq"));
        let (value, second) = (self.expression(scalar, 1), self.expression(scalar, 1));
        let ty = scalar.c();
        self.line(format!("{ty} {target} = {value};"));
        self.line(format!("{ty} *{pointer} = &{target};"));
        self.line(format!("{ty} **{double} = &{pointer};"));
        self.line(format!("**{double} = {second};"));
        if self.chance(50) {
            let other = self.pointer_value(scalar);
            let condition = self.condition(1);
            self.line(format!("if ({condition}) *{double} = {other};"));
            self.scope.push(Variable::new(pointer, Shape::Pointer(scalar)));
        } else {
            self.scope.push(Variable::new(pointer, Shape::Reference(scalar)));
        }
        self.scope.push(Variable::new(target, Shape::Scalar(scalar)));
    }

    /// A pointer that is surely not null: to one of two variables.
    fn reference(&mut self, scalar: Scalar) {
        let known = self.scope.iter().filter(|v| v.shape == Shape::Scalar(scalar));
        let names: Vec<String> = known.map(|v| v.name.clone()).collect();
        if names.is_empty() {
            return;
        }
        let (first, second) = (self.pick(&names), self.pick(&names));
        let (name, condition) = (self.name("q"), self.condition(1));
        self.line(format!("{} *{name} = {condition} ? &{first} : &{second};", scalar.c()));
        self.scope.push(Variable::new(name, Shape::Reference(scalar)));
    }

    /// A local record: set field by field, copied, read back.
    fn records_statement(&mut self) {
        if self.records.is_empty() {
            return self.assignment();
        }
        let record = self.rng.usize(..self.records.len());
        let tag = self.records[record].tag.clone();
        let same = self.scope.iter().filter(|v| v.shape == Shape::Record(record));
        let names: Vec<String> = same.map(|v| v.name.clone()).collect();
        let name = self.name("s");
        if !names.is_empty() && self.chance(50) {
            let from = self.pick(&names);
            self.line(format!("{tag} {name} = {from};"));
        } else if self.mistake() {
            self.line(format!("{tag} {name};"));
        } else {
            self.line(format!("{tag} {name} = {{0}};"));
        }
        self.scope.push(Variable::new(name.clone(), Shape::Record(record)));
        if self.chance(40) {
            let pointer = self.name("sp");
            self.line(format!("{tag} *{pointer} = &{name};"));
            self.scope.push(Variable::new(pointer, Shape::RecordPointer(record)));
        }
    }

    /// Claims something of a variable; a run for which it is false ends there.
    pub(super) fn assertion(&mut self) {
        let scalar = Scalar::any(&mut self.rng);
        let (value, bound) = (self.leaf(scalar), self.literal(scalar));
        let op = self.pick(&["<=", ">=", "!=", "<", ">"]);
        self.line(format!("if (!({value} {op} {bound})) abort();"));
    }

    pub(super) fn static_counter(&mut self) {
        let name = self.name("calls");
        let limit = self.rng.u32(3..12);
        self.line(format!("static int {name};"));
        match self.mistake() {
            true => self.line(format!("{name} += 1000000000;")),
            false => self.line(format!("if ({name} < {limit}) {name}++;")),
        }
        self.scope.push(Variable::new(name, Shape::Scalar(Scalar::I32)));
    }
}
