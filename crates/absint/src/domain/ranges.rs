// SPDX-License-Identifier: MIT OR Apache-2.0
//! The narrow view of a state that relational domains have: what single values may be.
//!
//! A join keeps a relation that one side states and the ranges of the other side imply, and an inclusion holds if ranges
//! imply what is not stated. No domain needs to know more of a state than this.

use clew_ir::syntax::LocalId;

use crate::domain::int::Int;
use crate::domain::linear::finite;
use crate::domain::place::Place;
use crate::domain::range::Range;
use crate::domain::value::{Kind, Value};
use crate::domain::var::Var;

/// What single values may be.
pub trait Ranges {
    /// What a register was assigned; none if it was not.
    fn assigned(&self, local: LocalId) -> Option<&Value>;

    /// What a variable may be by its own range.
    fn var_range(&self, var: Var) -> Option<Int>;

    /// What a place holds; none if there is no such place.
    fn place_value(&self, place: &Place) -> Option<Value>;

    /// The range of what a place holds, if that surely is a finite number.
    fn place_range(&self, place: &Place) -> Option<Range> {
        match self.place_value(place)? {
            Value { kind: Kind::Float(float), uninit: false } => finite(&float),
            _ => None,
        }
    }
}

/// Nothing is known.
#[cfg(test)]
impl Ranges for () {
    fn assigned(&self, _: LocalId) -> Option<&Value> {
        None
    }

    fn var_range(&self, _: Var) -> Option<Int> {
        None
    }

    fn place_value(&self, _: &Place) -> Option<Value> {
        None
    }
}
