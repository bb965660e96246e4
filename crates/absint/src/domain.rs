// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numeric value domains: one abstract element stands for a set of values of one expression.
//!
//! A domain knows nothing of programs. It owes its users one thing: every transfer function returns an
//! element that contains each result of the operation on members of its operands. All elements are small
//! and `Copy`; none is empty (where an operation can have no result it returns an `Option`).

pub(crate) mod access;
pub(crate) mod affine;
pub mod clock;
pub(crate) mod clocked;
pub(crate) mod difference;
pub mod float;
pub mod int;
pub(crate) mod linear;
pub(crate) mod octagon;
pub(crate) mod octagons;
pub(crate) mod outward;
#[cfg(test)]
mod parity;
pub(crate) mod place;
pub(crate) mod product;
pub(crate) mod progression;
pub(crate) mod range;
pub(crate) mod ranges;
pub(crate) mod relational;
pub(crate) mod shape;
pub(crate) mod tuple;
pub(crate) mod value;
pub(crate) mod var;

/// What is known of a truth value.
///
/// ```text
///      Maybe
///      /   \
///   True   False
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tri {
    /// Holds for every member.
    True,
    /// Holds for no member.
    False,
    /// Not known.
    Maybe,
}

impl Tri {
    /// Negation.
    #[must_use]
    pub const fn not(self) -> Tri {
        match self {
            Tri::True => Tri::False,
            Tri::False => Tri::True,
            Tri::Maybe => Tri::Maybe,
        }
    }

    /// Conjunction.
    #[must_use]
    pub const fn and(self, other: Tri) -> Tri {
        match (self, other) {
            (Tri::False, _) | (_, Tri::False) => Tri::False,
            (Tri::True, Tri::True) => Tri::True,
            _ => Tri::Maybe,
        }
    }

    /// Disjunction.
    #[must_use]
    pub const fn or(self, other: Tri) -> Tri {
        self.not().and(other.not()).not()
    }

    /// What is known if it is either of the two.
    #[must_use]
    pub fn join(self, other: Tri) -> Tri {
        if self == other { self } else { Tri::Maybe }
    }

    /// Certainly true.
    #[must_use]
    pub const fn is_true(self) -> bool {
        matches!(self, Tri::True)
    }

    /// Certainly false.
    #[must_use]
    pub const fn is_false(self) -> bool {
        matches!(self, Tri::False)
    }

    /// From whether it holds for every member and whether it holds for some.
    pub(crate) const fn known(always: bool, possible: bool) -> Tri {
        match (always, possible) {
            (_, false) => Tri::False,
            (true, true) => Tri::True,
            (false, true) => Tri::Maybe,
        }
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Tri {
        if value { Tri::True } else { Tri::False }
    }
}
