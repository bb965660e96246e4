// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pieces of programs as people write them, each with the mistake that people make in it.

use super::Generator;
use super::types::{Scalar, Shape, Variable};

impl Generator {
    pub(super) fn idiom(&mut self) {
        match self.rng.u32(0..15) {
            14 => self.stale_copy(),
            13 => self.moved_bound(),
            0 => self.sum_and_mean(),
            1 => self.search(),
            2 => self.filter(),
            3 => self.rate_limiter(),
            4 => self.function_table(),
            5 => self.matrix(),
            6 => self.ring_buffer(),
            7 => self.copied_test(),
            8 => self.punning(),
            9 => self.walk(),
            10 => self.bits(),
            11 => self.state_machine(),
            _ => self.collatz(),
        }
    }

    /// An array in scope: name, element, length.
    fn known_array(&mut self) -> Option<(String, Scalar, u64)> {
        let found: Vec<(String, Scalar, u64)> = self
            .scope
            .iter()
            .filter_map(|v| match v.shape {
                Shape::Array(scalar, length) => Some((v.name.clone(), scalar, length)),
                _ => None,
            })
            .collect();
        (!found.is_empty()).then(|| self.pick(&found))
    }

    /// The sum of an array, and its mean over those elements that pass a test: there may be none.
    fn sum_and_mean(&mut self) {
        let Some((array, scalar, length)) = self.known_array() else { return };
        let (sum, count, i) = (self.name("sum"), self.name("count"), self.name("i"));
        let ty = if scalar.is_float() { "double" } else { self.pick(&["int", "long", "unsigned int"]) };
        let guarded = !self.mistake();
        self.line(format!("{ty} {sum} = 0; int {count} = 0;"));
        let bound = self.literal(scalar);
        self.block(
            &format!("for (int {i} = 0; {i} < {length}; {i}++)"),
            |g| {
                let clamp = guarded && !scalar.is_float() && scalar.bits() >= 32;
                let element = if clamp { format!("({array}[{i}] & 4095)") } else { format!("{array}[{i}]") };
                g.line(format!("if ({array}[{i}] > {bound}) {{ {sum} += {element}; {count}++; }}"));
            },
            "",
        );
        let mean = self.name("mean");
        match self.mistake() {
            true => self.line(format!("{ty} {mean} = {sum} / {count};")),
            false => self.line(format!("{ty} {mean} = {count} > 0 ? {sum} / {count} : 0;")),
        }
        let result = match ty {
            "double" => Scalar::F64,
            "int" => Scalar::I32,
            "long" => Scalar::I64,
            _ => Scalar::U32,
        };
        self.scope.push(Variable::new(mean, Shape::Scalar(result)));
        self.scope.push(Variable::counter(count, 0, length as i64 + 1));
    }

    /// Finds an element; where none is found the index is the length.
    fn search(&mut self) {
        let Some((array, scalar, length)) = self.known_array() else { return };
        let i = self.name("i");
        let (key, value) = (self.leaf(scalar), self.expression(scalar, 1));
        self.line(format!("int {i} = 0;"));
        self.line(format!("while ({i} < {length} && {array}[{i}] != {key}) {i}++;"));
        match self.mistake() {
            true => self.line(format!("{array}[{i}] = {value};")),
            false => self.line(format!("if ({i} < {length}) {array}[{i}] = {value};")),
        }
        self.scope.push(Variable::counter(i, 0, length as i64 + 1));
    }

    /// A low-pass filter over inputs; its state stays bounded if the coefficient is below one.
    fn filter(&mut self) {
        let (state, input, i) = (self.name("y"), self.name("u"), self.name("t"));
        let ty = self.pick(&["double", "float"]);
        let coefficient = if self.mistake() { "1.5" } else { self.pick(&["0.5", "0.9", "0.25"]) };
        let turns = self.rng.u32(5..40);
        self.line(format!("{ty} {state} = 0;"));
        let nondet = if ty == "double" { Scalar::F64 } else { Scalar::F32 };
        let guarded = !self.mistake();
        self.block(
            &format!("for (int {i} = 0; {i} < {turns}; {i}++)"),
            |g| {
                g.line(format!("{ty} {input} = {};", nondet.nondet()));
                if guarded {
                    g.line(format!("if (!({input} >= -10 && {input} <= 10)) {input} = 0;"));
                }
                g.line(format!("{state} = {coefficient} * {state} + {input};"));
            },
            "",
        );
        let converted = self.name("v");
        match self.mistake() {
            true => self.line(format!("int {converted} = (int){state};")),
            false => {
                self.line(format!("int {converted} = {state} > -1e6 && {state} < 1e6 ? (int){state} : 0;"));
            }
        }
        self.scope.push(Variable::new(state, Shape::Scalar(nondet)));
        self.scope.push(Variable::new(converted, Shape::Scalar(Scalar::I32)));
    }

    /// A value that follows its input by at most so much a turn.
    fn rate_limiter(&mut self) {
        let (value, wanted, i) = (self.name("out"), self.name("in"), self.name("t"));
        let (step, turns) = (self.rng.u32(1..9), self.rng.u32(3..30));
        let saturates = !self.mistake();
        self.line(format!("int {value} = 0;"));
        self.block(
            &format!("for (int {i} = 0; {i} < {turns}; {i}++)"),
            |g| {
                g.line(format!("int {wanted} = __VERIFIER_nondet_int();"));
                if saturates {
                    g.line(format!(
                        "if ({wanted} > 1000) {wanted} = 1000; else if ({wanted} < -1000) {wanted} = -1000;"
                    ));
                }
                g.line(format!("if ({wanted} - {value} > {step}) {value} += {step};"));
                g.line(format!("else if ({value} - {wanted} > {step}) {value} -= {step};"));
                g.line(format!("else {value} = {wanted};"));
            },
            "",
        );
        self.scope.push(Variable::new(value, Shape::Scalar(Scalar::I32)));
    }

    /// A helper chosen by an index out of a table.
    fn function_table(&mut self) {
        let helpers: Vec<_> = self
            .helpers
            .iter()
            .filter(|h| matches!(h.parameters[..], [super::Parameter::Value(_)]))
            .cloned()
            .collect();
        let Some(first) = helpers.first() else { return self.collatz() };
        let [super::Parameter::Value(parameter)] = first.parameters[..] else { return };
        let alike: Vec<String> = helpers
            .iter()
            .filter(|h| {
                h.result == first.result
                    && matches!(h.parameters[..], [super::Parameter::Value(p)] if p == parameter)
            })
            .map(|h| h.name.clone())
            .collect();
        let (table, pointer) = (self.name("table"), self.name("fp"));
        let length = self.rng.u64(2..5);
        let entries: Vec<String> =
            (0..length).map(|_| if self.mistake() { "0".to_owned() } else { self.pick(&alike) }).collect();
        let (result, parameter_type) = (first.result, parameter.c());
        self.line(format!(
            "{} (*{table}[{length}])({parameter_type}) = {{{}}};",
            result.c(),
            entries.join(", ")
        ));
        let (index, argument, value) = (self.index(length), self.expression(parameter, 1), self.name("v"));
        self.line(format!("{} (*{pointer})({parameter_type}) = {table}[{index}];", result.c()));
        self.line(format!("{} {value} = {pointer}({argument});", result.c()));
        self.scope.push(Variable::new(value, Shape::Scalar(result)));
    }

    fn matrix(&mut self) {
        let (matrix, i, j) = (self.name("m"), self.name("i"), self.name("j"));
        let (rows, columns) = (self.rng.u64(2..5), self.rng.u64(2..6));
        let scalar = Scalar::any(&mut self.rng);
        self.line(format!("{} {matrix}[{rows}][{columns}];", scalar.c()));
        let swapped = self.mistake();
        let (first, second) = if swapped { (columns, rows) } else { (rows, columns) };
        self.scope.push(Variable::counter(i.clone(), 0, first as i64));
        self.scope.push(Variable::counter(j.clone(), 0, second as i64));
        let value = self.expression(scalar, 1);
        self.scope.truncate(self.scope.len() - 2);
        self.line(format!("for (int {i} = 0; {i} < {first}; {i}++)"));
        self.line(format!("    for (int {j} = 0; {j} < {second}; {j}++) {matrix}[{i}][{j}] = {value};"));
        let name = self.name("v");
        let (row, column) = (self.index(rows), self.index(columns));
        self.line(format!("{} {name} = {matrix}[{row}][{column}];", scalar.c()));
        self.scope.push(Variable::new(name, Shape::Scalar(scalar)));
    }

    fn ring_buffer(&mut self) {
        let Some((array, scalar, length)) = self.known_array() else { return };
        let (head, i) = (self.name("head"), self.name("i"));
        let (turns, value) = (self.rng.u32(3..30), self.expression(scalar, 1));
        self.line(format!("unsigned int {head} = 0;"));
        self.block(
            &format!("for (int {i} = 0; {i} < {turns}; {i}++)"),
            |g| {
                g.line(format!("{array}[{head}] = {value};"));
                match g.rng.u32(0..3) {
                    0 if g.mistake() => g.line(format!("if ({head}++ > {length}) {head} = 0;")),
                    0 => g.line(format!("if (++{head} >= {length}) {head} = 0;")),
                    1 => g.line(format!("{head} = ({head} + 1) % {length};")),
                    _ => g.line(format!("{head} = {head} == {} ? 0 : {head} + 1;", length - 1)),
                }
            },
            "",
        );
        self.scope.push(Variable::counter(head, 0, length as i64));
    }

    /// The test is on a copy of the index, or on an expression of it.
    fn copied_test(&mut self) {
        let Some((array, scalar, length)) = self.known_array() else { return };
        let (index, copy) = (self.name("x"), self.name("y"));
        let value = self.expression(scalar, 1);
        self.line(format!("int {index} = __VERIFIER_nondet_int();"));
        let limit = if self.mistake() { length + 1 } else { length };
        match self.rng.u32(0..4) {
            0 => {
                self.line(format!("int {copy} = {index};"));
                self.line(format!("if ({copy} >= 0 && {copy} < {limit}) {array}[{index}] = {value};"));
            }
            1 => {
                self.line(format!("_Bool {copy} = {index} >= 0 && {index} < {limit};"));
                self.line(format!("if ({copy}) {array}[{index}] = {value};"));
            }
            2 => {
                self.line(format!("unsigned int {copy} = (unsigned int){index};"));
                self.line(format!("if ({copy} < {limit}u) {array}[{index}] = {value};"));
            }
            _ => {
                let shift = self.rng.u32(1..5);
                self.line(format!("unsigned int {copy} = (unsigned int){index} + {shift}u;"));
                let last = limit + u64::from(shift);
                self.line(format!("if ({copy} < {last}u && {copy} >= {shift}u) {array}[{index}] = {value};"));
            }
        }
    }

    /// A comparison that one of its sides then outlives.
    fn moved_bound(&mut self) {
        let (low, high, k, sum) = (self.name("lo"), self.name("hi"), self.name("k"), self.name("acc"));
        let (first, second) = (self.expression(Scalar::I32, 1), self.expression(Scalar::I32, 1));
        let moved = self.expression(Scalar::I32, 1);
        self.line(format!("int {low} = ({first}) & 31, {high} = ({second}) & 31, {sum} = 0;"));
        let op = self.pick(&["<", "<=", "=="]);
        let (target, bits) = (self.pick(&[low.clone(), high.clone()]), self.pick(&["7", "31", "63"]));
        self.block(
            &format!("if ({low} {op} {high})"),
            |g| {
                if g.chance(70) {
                    g.line(format!("{target} = ({moved}) & {bits};"));
                }
                let turns = g.rng.u32(1..5);
                g.line(format!("for (int {k} = 0; {k} < {turns}; {k}++) {sum} += {high} - {low};"));
                match g.mistake() {
                    true => g.line(format!("{sum} = 100 / ({high} - {low} + 1);")),
                    false => g.line(format!("if ({high} > {low}) {sum} = 100 / ({high} - {low});")),
                }
            },
            "",
        );
        for name in [low, high, sum] {
            self.scope.push(Variable::new(name, Shape::Scalar(Scalar::I32)));
        }
    }

    /// A copy of what stood in memory before a write, tested afterwards.
    fn stale_copy(&mut self) {
        let (cell, copy, sum, k) = (self.name("cell"), self.name("y"), self.name("acc"), self.name("k"));
        let (first, second) = (self.expression(Scalar::I32, 1), self.expression(Scalar::I32, 1));
        let keep = self.name("q");
        self.line(format!("int {cell} = ({first}) & 15; int *{keep} = &{cell}; int {sum} = 0;"));
        self.line(format!("int {copy} = *{keep};"));
        if self.chance(70) {
            self.line(format!("{cell} = ({second}) & 15;"));
        }
        let turns = self.rng.u32(1..4);
        self.block(
            &format!("if ({copy} > 0)"),
            |g| {
                g.line(format!("for (int {k} = 0; {k} < {turns}; {k}++) {sum} += {cell} + {copy};"));
                match g.mistake() || g.chance(30) {
                    true => g.line(format!("{sum} = 100 / {cell};")),
                    false => g.line(format!("{sum} = 100 / {copy};")),
                }
            },
            "",
        );
        for name in [cell, copy, sum] {
            self.scope.push(Variable::new(name, Shape::Scalar(Scalar::I32)));
        }
    }

    /// The bytes of one type read as another.
    fn punning(&mut self) {
        let (from, to) = (Scalar::any(&mut self.rng), Scalar::any(&mut self.rng));
        if to == Scalar::Bool || from == Scalar::Bool {
            return;
        }
        let (union, name) = (self.name("u"), self.name("v"));
        let value = self.expression(from, 2);
        match self.rng.u32(0..3) {
            0 => {
                self.line(format!(
                    "union {{ {} a; {} b; unsigned char c[8]; }} {union} = {{0}};",
                    from.c(),
                    to.c()
                ));
                self.line(format!("{union}.a = {value};"));
                if self.chance(40) {
                    let (index, byte) = (self.index(8), self.expression(Scalar::U8, 1));
                    self.line(format!("{union}.c[{index}] = {byte};"));
                }
                self.line(format!("{} {name} = {union}.b;", to.c()));
            }
            1 => {
                self.line(format!("{} {union} = {value};", from.c()));
                let index = self.index(u64::from(from.bits() / 8));
                self.line(format!("unsigned char {name} = ((unsigned char *)&{union})[{index}];"));
                self.scope.push(Variable::new(name, Shape::Scalar(Scalar::U8)));
                return;
            }
            _ => {
                self.line(format!("{} {union} = {value};", from.c()));
                self.line(format!("{} {name} = 0;", to.c()));
                let bytes = from.bits().min(to.bits()) / 8;
                let bytes = if self.mistake() { bytes + 4 } else { bytes };
                self.line(format!("memcpy(&{name}, &{union}, {bytes});"));
            }
        }
        self.scope.push(Variable::new(name, Shape::Scalar(to)));
    }

    /// A pointer that walks through an array.
    fn walk(&mut self) {
        let Some((array, scalar, length)) = self.known_array() else { return };
        let (p, sum) = (self.name("p"), self.name("acc"));
        let ty = scalar.c();
        let test = if self.mistake() { "<=" } else { self.pick(&["<", "!="]) };
        let total = if scalar.is_float() { Scalar::F64 } else { Scalar::U32 };
        let value = self.expression(scalar, 1);
        self.line(format!("{} {sum} = 0;", total.c()));
        let write = self.chance(40);
        self.block(
            &format!("for ({ty} *{p} = {array}; {p} {test} {array} + {length}; {p}++)"),
            |g| {
                if write {
                    g.line(format!("*{p} = {value};"));
                }
                g.line(format!("{sum} += *{p};"));
            },
            "",
        );
        self.scope.push(Variable::new(sum, Shape::Scalar(total)));
    }

    /// Packs values into bits and takes them apart again.
    fn bits(&mut self) {
        let (packed, value) = (self.name("bits"), self.name("v"));
        let (low, high) = (self.expression(Scalar::U32, 1), self.expression(Scalar::U32, 1));
        let shift = self.rng.u32(1..20);
        self.line(format!("unsigned int {packed} = (({low}) & 15u) | ((({high}) & 7u) << {shift});"));
        let mask = self.pick(&["7u", "15u", "1u", "8u"]);
        self.line(format!("unsigned int {value} = ({packed} >> {shift}) & {mask};"));
        if let Some((array, scalar, length)) = self.known_array() {
            let written = self.expression(scalar, 1);
            if length >= 8 || self.mistake() {
                self.line(format!("{array}[({packed} >> {shift}) & 7u] = {written};"));
            }
        }
        self.scope.push(Variable::new(value, Shape::Scalar(Scalar::U32)));
    }

    /// States that follow each other by inputs; one of them divides by what another set.
    fn state_machine(&mut self) {
        let (state, data, i) = (self.name("state"), self.name("data"), self.name("t"));
        let turns = self.rng.u32(3..25);
        let initial = if self.mistake() { 0 } else { 1 };
        self.line(format!("int {state} = 0; int {data} = {initial};"));
        let reset = if self.mistake() { 0 } else { self.rng.u32(1..9) };
        self.block(
            &format!("for (int {i} = 0; {i} < {turns}; {i}++)"),
            |g| {
                g.block(
                    &format!("switch ({state})"),
                    |g| {
                        g.line(format!("case 0: if (__VERIFIER_nondet_bool()) {state} = 1; break;"));
                        g.line(format!(
                            "case 1: {data} = (__VERIFIER_nondet_int() & 7) + {reset}; {state} = 2; break;"
                        ));
                        g.line(format!(
                            "case 2: {data} = 100 / {data}; {state} = {data} > 50 ? 0 : 3; break;"
                        ));
                        g.line(format!("case 3: {state} = 0; {data} = {data} + 1; break;"));
                        g.line("default: abort();");
                    },
                    "",
                );
            },
            "",
        );
        self.scope.push(Variable::counter(state, 0, 4));
        self.scope.push(Variable::new(data, Shape::Scalar(Scalar::I32)));
    }

    /// A loop whose number of turns nobody knows.
    fn collatz(&mut self) {
        let (n, steps) = (self.name("n"), self.name("steps"));
        let start = self.expression(Scalar::U8, 1);
        self.line(format!("long {n} = (({start}) & 63) + 1; int {steps} = 0;"));
        let limit = if self.mistake() { 1000 } else { 15 };
        self.line(format!(
            "while ({n} != 1 && {steps} < {limit}) {{ {n} = {n} & 1 ? 3 * {n} + 1 : {n} / 2; {steps}++; }}"
        ));
        self.scope.push(Variable::new(n, Shape::Scalar(Scalar::I64)));
        self.scope.push(Variable::counter(steps, 0, 16));
    }
}
