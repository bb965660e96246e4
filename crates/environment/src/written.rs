// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions as people write them: in the paper's words (`fwdBnds(p) >= n`), and in ACSL.

use clew_ir::syntax::{FuncId, Program, Type, TypeId};

use crate::contract::{Clause, Test};
use crate::linear::Linear;
use crate::source::{Kind, Place, Source};

/// How conditions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As paper 001 does.
    Paper,
    /// As ACSL does.
    Acsl,
}

/// Writes the conditions of one function.
#[derive(Clone, Copy)]
pub struct Writer<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: FuncId,
    /// How.
    pub style: Style,
}

impl Writer<'_> {
    /// A condition.
    pub fn clause(&self, clause: &Clause) -> String {
        let tests: Vec<String> =
            clause.unless.iter().chain([&clause.test]).map(|test| self.test(test)).collect();
        tests.join(" || ")
    }

    /// The name of a parameter.
    pub fn parameter(&self, number: u32) -> String {
        let body = self.program.functions[self.function].body.as_ref();
        let local = body.and_then(|body| body.locals.iter().nth(number as usize));
        local
            .and_then(|local| local.name.as_ref())
            .map_or_else(|| format!("argument{}", number + 1), |n| n.to_string())
    }

    /// The C name of a source.
    pub fn source(&self, source: &Source) -> String {
        match &source.place {
            Place::Parameter(number) => self.parameter(*number),
            Place::Global(global, at) => {
                let global = &self.program.globals[*global];
                format!("{}{}", global.source_name, self.member(global.ty, *at, source))
            }
            Place::Behind(pointer, at) => self.behind(pointer, *at, source),
            Place::Turns(_) | Place::Register(..) => "?".to_owned(),
        }
    }

    fn behind(&self, pointer: &Source, at: i64, source: &Source) -> String {
        let name = self.source(pointer);
        let Kind::Pointer(pointee) = pointer.kind else { return format!("*{name}") };
        let types = self.program.types();
        let bytes = types.size_of(pointee).max(1) as i64;
        let (element, inside) = (at.div_euclid(bytes), at.rem_euclid(bytes));
        let member = self.member(pointee, inside, source);
        match (element, member.strip_prefix('.')) {
            (0, Some(member)) => format!("{name}->{member}"),
            (0, None) if member.is_empty() => format!("*{name}"),
            _ => format!("{name}[{element}]{member}"),
        }
    }

    /// How C gets from an object to the scalar at an offset: `.next`, `[2].x`, or nothing.
    fn member(&self, ty: TypeId, at: i64, source: &Source) -> String {
        let types = self.program.types();
        match types.get(ty) {
            Type::Array { element, .. } => {
                let bytes = types.size_of(*element).max(1) as i64;
                format!("[{}]{}", at / bytes, self.member(*element, at % bytes, source))
            }
            Type::Record(record) => {
                let fields = types.records[*record].fields.iter();
                let holds = |field: &&clew_ir::syntax::Field| {
                    let from = field.offset as i64;
                    field.bits.is_none() && from <= at && at < from + types.size_of(field.ty).max(1) as i64
                };
                let fits = |field: &&clew_ir::syntax::Field| {
                    let made = Source::new(self.program, Place::Parameter(0), field.ty);
                    made.is_none_or(|made| made.kind == source.kind)
                };
                let field = fields.clone().filter(holds).find(fits).or_else(|| fields.clone().find(holds));
                match field {
                    Some(field) => {
                        let rest = self.member(field.ty, at - field.offset as i64, source);
                        match &field.name {
                            Some(name) => format!(".{name}{rest}"),
                            None => rest,
                        }
                    }
                    None => format!(".byte{at}"),
                }
            }
            _ => String::new(),
        }
    }

    fn sum(&self, sum: &Linear) -> String {
        let mut text = String::new();
        for (source, coefficient) in &sum.terms {
            let name = self.source(source);
            let name =
                if name.starts_with('*') && coefficient.abs() != 1 { format!("({name})") } else { name };
            let sign = match (text.is_empty(), *coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            match coefficient.abs() {
                1 => text.push_str(&name),
                many => text.push_str(&format!("{many} * {name}")),
            }
        }
        match sum.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }

    /// `left op right`, both without minus signs where that is possible.
    fn compared(&self, sum: &Linear, op: &str, turned: &str) -> String {
        let side = |sign: i128| Linear {
            terms: sum
                .terms
                .iter()
                .filter(|(_, c)| **c * sign > 0)
                .map(|(s, c)| (s.clone(), c.abs()))
                .collect(),
            constant: 0,
        };
        let (left, right) = (side(1), side(-1));
        if left.terms.is_empty() {
            return format!("{} {turned} {}", self.sum(&right), sum.constant);
        }
        let mut right = right;
        let strict = op == "<=" && sum.constant == 1 && !right.terms.is_empty();
        right.constant = if strict { 0 } else { -sum.constant };
        format!("{} {} {}", self.sum(&left), if strict { "<" } else { op }, self.sum(&right))
    }

    /// A test.
    pub fn test(&self, test: &Test) -> String {
        let null = if self.style == Style::Acsl { "\\null" } else { "NULL" };
        match test {
            Test::AtMostZero(sum) => self.compared(sum, "<=", ">="),
            Test::Zero(sum) => self.compared(sum, "==", "=="),
            Test::NotZero(sum) => self.compared(sum, "!=", "!="),
            Test::Null(pointer) => format!("{} == {null}", self.source(pointer)),
            Test::NotNull(pointer) => format!("{} != {null}", self.source(pointer)),
            Test::Room { pointer, bytes, writes } => self.room(pointer, bytes, *writes),
            Test::Terminated(pointer) if self.style == Style::Acsl => {
                format!("valid_read_string({})", self.source(pointer))
            }
            Test::Terminated(pointer) => format!("nullTerm({})", self.source(pointer)),
        }
    }

    fn room(&self, pointer: &Source, bytes: &Linear, writes: bool) -> String {
        let (elements, is_bytes) = elements(bytes, pointer.element_bytes(self.program));
        let name = self.source(pointer);
        match self.style {
            Style::Paper if is_bytes => format!("fwdBnds((char *){name}) >= {}", self.sum(&elements)),
            Style::Paper => format!("fwdBnds({name}) >= {}", self.sum(&elements)),
            Style::Acsl => {
                let valid = if writes { "\\valid" } else { "\\valid_read" };
                let start = if is_bytes { format!("((char *){name})") } else { name };
                let last = Linear { constant: elements.constant - 1, ..elements };
                format!("{valid}({start} + (0 .. {}))", self.sum(&last))
            }
        }
    }
}

/// A number of bytes in elements of so many; else it stays in bytes.
pub fn elements(bytes: &Linear, size: i128) -> (Linear, bool) {
    if let Some(constant) = bytes.as_constant() {
        return (
            Linear::constant(constant.div_euclid(size) + i128::from(constant.rem_euclid(size) != 0)),
            false,
        );
    }
    if bytes.terms.values().all(|c| c % size == 0) {
        let terms = bytes.terms.iter().map(|(source, c)| (source.clone(), c / size)).collect();
        let constant = bytes.constant.div_euclid(size) + i128::from(bytes.constant.rem_euclid(size) != 0);
        return (Linear { terms, constant }, false);
    }
    (bytes.clone(), true)
}
