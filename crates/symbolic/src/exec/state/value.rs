// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of a symbolic run: terms for numbers, cases for pointers.
//!
//! A pointer is what the interpreter's is, an object and a distance from its start; since states are merged, it may
//! be one of several. The cases have different bases and their guards exclude each other, so an access through a
//! pointer is one access a case. Numbers that were made from pointers are terms like all others.

use std::rc::Rc;

use clew_ir::syntax::FuncId;

use crate::term::{TermId, Terms};

/// An object of the run, in the order of its making.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ObjectId(pub u32);

/// What a pointer was derived from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Base {
    /// Nothing: the offset is the address.
    Number,
    /// An object.
    Object(ObjectId),
    /// A function.
    Function(FuncId),
}

/// One thing that a pointer may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Case {
    /// When it is this one.
    pub guard: TermId,
    /// What it was derived from.
    pub base: Base,
    /// How many bytes it is from the start of that, at the width of an address.
    pub offset: TermId,
}

/// A pointer: cases of different bases, in the order of the bases. In every run that has not ended the guard of one
/// holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pointer {
    /// The cases.
    pub cases: Vec<Case>,
}

/// The value of a scalar.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// The bits of an integer or a float.
    Bits(TermId),
    /// A pointer.
    Pointer(Rc<Pointer>),
    /// Something that is not followed. A run that depends on it is cut.
    Lost,
}

impl Pointer {
    /// A pointer that is one thing.
    pub fn one(terms: &mut Terms, base: Base, offset: TermId) -> Pointer {
        Pointer { cases: vec![Case { guard: terms.bool(true), base, offset }] }
    }

    /// What it is, and when: always, if it is one thing.
    pub fn choices<'a>(&'a self, terms: &mut Terms) -> impl Iterator<Item = (&'a Case, TermId)> + use<'a> {
        let always = (self.cases.len() == 1).then(|| terms.bool(true));
        self.cases.iter().map(move |case| (case, always.unwrap_or(case.guard)))
    }

    /// The pointer moved by a distance.
    pub fn moved(&self, terms: &mut Terms, bytes: TermId) -> Pointer {
        let cases =
            self.cases.iter().map(|case| Case { offset: terms.add(case.offset, bytes), ..case.clone() });
        Pointer { cases: cases.collect() }
    }

    /// A constant beside this pointer, as an address without an object. Any other number may have been made from a
    /// pointer, or stand for one that an earlier iteration of a loop stored: what that points to is not known.
    fn as_number(&self, terms: &mut Terms, bits: TermId) -> Option<Pointer> {
        let offset = self.cases.first()?.offset;
        terms.as_const(bits)?;
        (terms.sort(offset) == terms.sort(bits)).then(|| Pointer::one(terms, Base::Number, bits))
    }

    /// The first if the condition holds, else the second.
    fn choose(terms: &mut Terms, condition: TermId, one: &Pointer, other: &Pointer) -> Pointer {
        let find = |pointer: &Pointer, base: Base| pointer.cases.iter().find(|c| c.base == base).cloned();
        let mut bases: Vec<Base> = one.cases.iter().chain(&other.cases).map(|case| case.base).collect();
        bases.sort_unstable();
        bases.dedup();
        let mut cases = Vec::with_capacity(bases.len());
        for base in bases {
            let (guard, offset) = match (find(one, base), find(other, base)) {
                (Some(a), Some(b)) => {
                    (terms.ite(condition, a.guard, b.guard), terms.ite(condition, a.offset, b.offset))
                }
                (Some(a), None) => (terms.and(condition, a.guard), a.offset),
                (None, Some(b)) => {
                    let not = terms.not(condition);
                    (terms.and(not, b.guard), b.offset)
                }
                (None, None) => continue,
            };
            if !terms.is_false(guard) {
                cases.push(Case { guard, base, offset });
            }
        }
        Pointer { cases }
    }
}

impl Value {
    /// A pointer that is one thing.
    pub fn pointer(terms: &mut Terms, base: Base, offset: TermId) -> Value {
        Value::Pointer(Rc::new(Pointer::one(terms, base, offset)))
    }

    /// The first if the condition holds, else the second. What is lost in one case is lost.
    pub fn choose(terms: &mut Terms, condition: TermId, one: &Value, other: &Value) -> Value {
        if terms.is_true(condition) || one == other {
            return one.clone();
        }
        if terms.is_false(condition) {
            return other.clone();
        }
        match (one, other) {
            (Value::Bits(a), Value::Bits(b)) if terms.sort(*a) == terms.sort(*b) => {
                Value::Bits(terms.ite(condition, *a, *b))
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                Value::Pointer(Rc::new(Pointer::choose(terms, condition, a, b)))
            }
            // Null is often stored as the number zero.
            (Value::Pointer(a), Value::Bits(b)) => match a.as_number(terms, *b) {
                Some(b) => Value::Pointer(Rc::new(Pointer::choose(terms, condition, a, &b))),
                None => Value::Lost,
            },
            (Value::Bits(a), Value::Pointer(b)) => match b.as_number(terms, *a) {
                Some(a) => Value::Pointer(Rc::new(Pointer::choose(terms, condition, &a, b))),
                None => Value::Lost,
            },
            _ => Value::Lost,
        }
    }
}
