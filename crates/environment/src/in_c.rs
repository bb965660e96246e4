// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions as C over the variables of a driver: the parameter of number 2 is `clew_argument_2`, the bytes behind it are
//! `clew_room_2`, those behind a global pointer `p` are `clew_room_of_p`.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::Program;

use crate::contract::{Clause, Test};
use crate::linear::Linear;
use crate::source::{Kind, Place, Source};

/// A pointer whose object a driver makes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pointer {
    /// A parameter, from 0 on.
    Parameter(u32),
    /// A global by its name.
    Global(String),
}

/// What a driver is to see to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Promised {
    /// Pointers that are never null.
    pub not_null: BTreeSet<Pointer>,
    /// Bytes that what a pointer leads to has at least: expressions over numbers.
    pub least: BTreeMap<Pointer, Vec<String>>,
    /// Pointers to text that ends.
    pub terminated: BTreeSet<Pointer>,
    /// Conditions; where one does not hold, the entry is not called.
    pub conditions: Vec<String>,
    /// Whether a clause could not be put in C: then no run is one that keeps the contract for sure.
    pub is_partial: bool,
}

/// What a driver is to see to so that callers keep these clauses.
pub fn promised(program: &Program, clauses: &[Clause]) -> Promised {
    let mut all = Promised::default();
    for clause in clauses {
        let test = &clause.test;
        match (test, &clause.unless[..]) {
            (Test::NotNull(pointer), []) => all.not_null.extend(made(program, pointer)),
            (Test::Terminated(pointer), _) => all.terminated.extend(made(program, pointer)),
            (Test::Room { pointer, bytes, .. }, _) => {
                if let (Some(pointer), Some(bytes)) = (made(program, pointer), sum(program, bytes)) {
                    all.least.entry(pointer).or_default().push(bytes);
                }
            }
            _ => {}
        }
        if matches!(test, Test::Terminated(pointer) if made(program, pointer).is_some()) {
            continue;
        }
        let tests: Option<Vec<String>> =
            clause.unless.iter().chain([test]).map(|test| condition(program, test)).collect();
        match tests {
            Some(tests) => all.conditions.push(tests.join(" || ")),
            None => all.is_partial = true,
        }
    }
    all
}

fn made(program: &Program, pointer: &Source) -> Option<Pointer> {
    match (&pointer.place, pointer.kind) {
        (Place::Parameter(number), Kind::Pointer(_)) => Some(Pointer::Parameter(*number)),
        (Place::Global(global, 0), Kind::Pointer(_)) => {
            Some(Pointer::Global(program.globals[*global].source_name.to_string()))
        }
        _ => None,
    }
}

/// The bytes behind a pointer.
pub fn room(pointer: &Pointer) -> String {
    match pointer {
        Pointer::Parameter(number) => format!("clew_room_{number}"),
        Pointer::Global(name) => format!("clew_room_of_{name}"),
    }
}

fn value(program: &Program, source: &Source) -> Option<String> {
    let ty = match source.kind {
        Kind::Pointer(_) => "unsigned char *",
        Kind::Number { bits, signed } => match (bits, signed) {
            (1, _) => "_Bool",
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (64, true) => "long",
            (64, false) => "unsigned long",
            _ => return None,
        },
    };
    match &source.place {
        Place::Parameter(number) => Some(format!("clew_argument_{number}")),
        Place::Global(global, at) => {
            Some(format!("(*({ty} *)((unsigned char *)&{} + {at}))", program.globals[*global].source_name))
        }
        Place::Behind(pointer, at) => match made(program, pointer) {
            Some(_) if *at >= 0 => Some(format!("(*({ty} *)({} + {at}))", value(program, pointer)?)),
            _ => None,
        },
        Place::Turns(_) | Place::Register(..) => None,
    }
}

/// What must hold so that a source can be read at all.
fn readable(program: &Program, source: &Source) -> Option<String> {
    let Place::Behind(pointer, at) = &source.place else { return Some(String::new()) };
    let bytes = match source.kind {
        Kind::Pointer(_) => 8,
        Kind::Number { bits, .. } => i64::from(bits.div_ceil(8)),
    };
    let made = made(program, pointer)?;
    Some(format!("{} != 0 && {} >= {} && ", value(program, pointer)?, room(&made), at + bytes))
}

fn sum(program: &Program, sum: &Linear) -> Option<String> {
    let is_wide = |source: &Source| matches!(source.kind, Kind::Number { bits, .. } if bits > 32);
    let ty = if sum.terms.keys().any(is_wide) { "__int128" } else { "long" };
    let terms: Option<Vec<String>> = sum
        .terms
        .iter()
        .map(|(source, coefficient)| Some(format!("({ty}){} * {coefficient}", value(program, source)?)))
        .collect();
    let constant = match i64::try_from(sum.constant) {
        Ok(i64::MIN) | Err(_) => return None,
        Ok(constant) => format!("({ty}){constant}L"),
    };
    Some([terms?, vec![constant]].concat().join(" + "))
}

fn condition(program: &Program, test: &Test) -> Option<String> {
    let before: Option<Vec<String>> =
        test.sources().into_iter().map(|source| readable(program, source)).collect();
    let before = before?.concat();
    let test = match test {
        Test::AtMostZero(of) => format!("{} <= 0", sum(program, of)?),
        Test::Zero(of) => format!("{} == 0", sum(program, of)?),
        Test::NotZero(of) => format!("{} != 0", sum(program, of)?),
        Test::Null(pointer) => format!("{} == 0", value(program, pointer)?),
        Test::NotNull(pointer) => format!("{} != 0", value(program, pointer)?),
        Test::Room { pointer, bytes, .. } => {
            let bytes = sum(program, bytes)?;
            let pointer = made(program, pointer)?;
            format!("({bytes} <= 0 || {bytes} <= (long){})", room(&pointer))
        }
        Test::Terminated(_) => return None,
    };
    Some(format!("({before}{test})"))
}
