// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constructors of terms over exact numbers, and what is claimed with them. Each simplifies.

use clew_base::exact::{Integer, Rational};
use clew_base::float::Format;
use clew_base::int::{ArithOp, IntType};

use crate::term::{ExactRelation, Sort, Term, TermId, Terms};

impl Terms {
    /// The integer that a bit-vector stands for.
    pub fn integer_of(&mut self, of: TermId, signed: bool) -> TermId {
        self.make(Term::IntegerOf { signed, of }, Sort::Integer)
    }

    /// The real that a float stands for; zero if it is not finite.
    pub fn real_of(&mut self, format: Format, of: TermId) -> TermId {
        debug_assert_eq!(self.width(of), format.bits());
        self.make(Term::RealOf { format, of }, Sort::Real)
    }

    /// An integer as a real.
    pub fn to_real(&mut self, integer: TermId) -> TermId {
        self.make(Term::ToReal(integer), Sort::Real)
    }

    /// The exact sum, difference or product.
    pub fn exact(&mut self, op: ArithOp, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a).is_exact() && self.sort(a) == self.sort(b));
        self.make(Term::Exact(op, a, b), self.sort(a))
    }

    /// One bit: `a < b`, exactly.
    pub fn exact_lt(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a).is_exact() && self.sort(a) == self.sort(b));
        self.make(Term::ExactCompare(ExactRelation::Lt, a, b), Sort::BOOL)
    }

    /// One bit: `a == b`, exactly.
    pub fn exact_eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.sort(a).is_exact() && self.sort(a) == self.sort(b));
        self.make(Term::ExactCompare(ExactRelation::Eq, a, b), Sort::BOOL)
    }

    /// Two bits: whether an exact number, its fraction dropped, is not less than the least value of an integer type,
    /// and whether it is not greater than the greatest.
    fn between_ends(&mut self, number: TermId, ty: IntType) -> (TermId, TermId) {
        let (sort, (least, greatest)) = (self.sort(number), ends(ty));
        let below = self.number(sort, Rational::from(least - Integer::ONE));
        let above = self.number(sort, Rational::from(greatest + Integer::ONE));
        (self.exact_lt(below, number), self.exact_lt(number, above))
    }

    /// One bit: whether the exact result on two numbers, each with its own width and signedness, fits not `dest`.
    pub fn overflows(
        &mut self,
        op: ArithOp,
        left: (TermId, bool),
        right: (TermId, bool),
        dest: IntType,
    ) -> TermId {
        let (left, right) = (self.integer_of(left.0, left.1), self.integer_of(right.0, right.1));
        let result = self.exact(op, left, right);
        let (above, below) = self.between_ends(result, dest);
        let fits = self.and(above, below);
        self.not(fits)
    }

    /// One bit: whether the truncated float fits the integer type; a NaN never does.
    pub fn float_fits(&mut self, from: Format, dest: IntType, of: TermId) -> TermId {
        let (value, finite) = (self.real_of(from, of), self.is_finite(from, of));
        let (above, below) = self.between_ends(value, dest);
        // One by one: each comparison of a real asks whether the float is finite, too.
        let (above, below) = (self.and(finite, above), self.and(finite, below));
        self.and(above, below)
    }
}

/// The least and the greatest value of a type.
fn ends(ty: IntType) -> (Integer, Integer) {
    let greatest = if ty.signed { Integer::from(ty.max()) } else { Integer::from(ty.to_bits(ty.max())) };
    (Integer::from(ty.min()), greatest)
}
