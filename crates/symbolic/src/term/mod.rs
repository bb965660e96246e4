// SPDX-License-Identifier: MIT OR Apache-2.0
//! Terms: types and the arena that holds them.
//!
//! - What a program holds are bit-vectors of 1 to 128 bits, and arrays of them for its memory. A boolean is one bit.
//!   A float is the bit-vector of its encoding; the *operation* knows the format, so reinterpreting bits costs
//!   nothing and NaN payloads are as exact as in `clew_base::float`.
//! - What is claimed of them is said with integers and reals: that an exact sum fits its type, that a conversion
//!   kept the value. These stand for bits (`IntegerOf`, `RealOf`) and for constants, there are no variables of
//!   them, so that each is bounded and has a circuit of just the bits that its range needs (`range`, `blast::exact`).
//! - Terms are hash-consed: equal terms have equal handles. A term's operands have smaller handles than itself,
//!   so a loop over handles in order meets operands first and nothing here recurses.
//! - Terms are total. Where C or IEEE leave a result open, the variant below names the value.

mod build;
mod build_exact;
mod build_float;
pub mod evaluate;
pub mod facts;
pub mod range;

use std::fmt;

use clew_base::exact::Rational;
use clew_base::float::{Format, Rounding};
use clew_base::index::{Idx, IndexVec};
use clew_base::index_types;
use clew_base::int::ArithOp;
use rustc_hash::FxHashMap;

use crate::term::facts::Facts;
use crate::term::range::Range;

index_types! {
    /// A term of a [`Terms`] arena.
    TermId = "t";
    /// A variable of a [`Terms`] arena, numbered in order of creation.
    VarId = "x";
    /// An exact constant of a [`Terms`] arena.
    NumberId = "n";
}

/// What kind of value a term has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of so many bits, 1 to 128.
    Bits(u32),
    /// A function from bit-vectors to bit-vectors.
    Array {
        /// Bits of an index.
        index: u32,
        /// Bits of an element.
        element: u32,
    },
    /// A whole number.
    Integer,
    /// A number; all that occur are fractions.
    Real,
}

impl Sort {
    /// One bit.
    pub const BOOL: Sort = Sort::Bits(1);

    /// Whether this is a sort of exact numbers.
    pub fn is_exact(self) -> bool {
        matches!(self, Sort::Integer | Sort::Real)
    }
}

/// Operators on two bit-vectors of one width, whose result has that width unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones if the divisor is zero.
    Udiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    Urem,
    /// Signed quotient, truncated, modulo 2^width; if the divisor is zero, 1 for a negative dividend, else -1.
    Sdiv,
    /// Signed remainder with the dividend's sign; the dividend if the divisor is zero.
    Srem,
    /// Left shift by an unsigned count; zero if the count is not less than the width.
    Shl,
    /// Logical right shift; zero if the count is not less than the width.
    Lshr,
    /// Arithmetic right shift; copies of the sign bit if the count is not less than the width.
    Ashr,
    /// One bit: whether the operands are equal.
    Eq,
    /// One bit: unsigned less.
    Ult,
    /// One bit: signed less.
    Slt,
    /// The first operand's bits above the second's. The widths may differ; the result has their sum.
    Concat,
}

/// Operations on one float that round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatUnary {
    /// Square root.
    Sqrt,
    /// The nearest integral value in the rounding direction; zero keeps the operand's sign.
    Integral,
}

/// Operations on two floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`: exact, the rounding mode is ignored (and always `NearestEven` in a term).
    Rem,
}

/// Comparisons of floats; false if either is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatRelation {
    /// `==`: zeros of both signs are equal.
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

/// Comparisons of exact numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExactRelation {
    /// Equality.
    Eq,
    /// Less.
    Lt,
}

/// A term's outermost operator. The width of the result is the term's [`Sort`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A bit-vector constant, zero-extended.
    Const(u128),
    /// A variable of any sort.
    Var(VarId),
    /// Bitwise complement.
    Not(TermId),
    /// Two bit-vectors.
    Binary(BinaryOp, TermId, TermId),
    /// The second operand if the first, one bit, is set, else the third: bit-vectors or arrays.
    Ite(TermId, TermId, TermId),
    /// The bits from `low` on, as many as the sort says.
    Extract {
        /// The operand.
        of: TermId,
        /// The place of the lowest bit taken.
        low: u32,
    },
    /// Zeros added above.
    Zext(TermId),
    /// Copies of the sign bit added above.
    Sext(TermId),
    /// One float, rounded.
    FloatUnary(FloatUnary, Format, Rounding, TermId),
    /// Two floats, rounded.
    FloatBinary(FloatBinary, Format, Rounding, TermId, TermId),
    /// `a * b + c`, rounded once.
    Fma(Format, Rounding, TermId, TermId, TermId),
    /// One bit: a comparison of floats.
    FloatCompare(FloatRelation, Format, TermId, TermId),
    /// A float in another format.
    FloatToFloat {
        /// The format of the operand.
        from: Format,
        /// The format of the result.
        to: Format,
        /// The direction, if the result must be rounded.
        rounding: Rounding,
        /// The operand.
        of: TermId,
    },
    /// A float truncated to an integer of the term's width; zero if it does not fit.
    FloatToInt {
        /// The format of the operand.
        from: Format,
        /// Whether the result is a signed number.
        signed: bool,
        /// The operand.
        of: TermId,
    },
    /// An integer of any width as a float.
    IntToFloat {
        /// The format of the result.
        to: Format,
        /// Whether the operand is a signed number.
        signed: bool,
        /// The direction, if the result must be rounded.
        rounding: Rounding,
        /// The operand.
        of: TermId,
    },
    /// The array with this element everywhere.
    ConstArray(TermId),
    /// The array's element at the index.
    Select(TermId, TermId),
    /// The array with the element at the index (second) replaced by the third operand.
    Store(TermId, TermId, TermId),
    /// An exact constant: an integer or a real, as the sort says.
    Number(NumberId),
    /// The integer that a bit-vector stands for.
    IntegerOf {
        /// Whether it is a signed number.
        signed: bool,
        /// The bit-vector.
        of: TermId,
    },
    /// The real that a float stands for; zero if it is infinite or a NaN.
    RealOf {
        /// The format.
        format: Format,
        /// The bit-vector of its encoding.
        of: TermId,
    },
    /// An integer as a real.
    ToReal(TermId),
    /// The exact sum, difference or product of two integers or two reals.
    Exact(ArithOp, TermId, TermId),
    /// One bit: a comparison of two integers or two reals.
    ExactCompare(ExactRelation, TermId, TermId),
}

/// Up to three operands.
#[derive(Clone, Copy)]
pub struct Operands {
    ids: [TermId; 3],
    count: usize,
}

impl std::ops::Deref for Operands {
    type Target = [TermId];
    fn deref(&self) -> &[TermId] {
        &self.ids[..self.count]
    }
}

impl Term {
    /// The operands in order.
    pub fn operands(&self) -> Operands {
        let none = TermId(0);
        let (ids, count) = match *self {
            Term::Const(_) | Term::Var(_) | Term::Number(_) => ([none; 3], 0),
            Term::Not(a)
            | Term::Extract { of: a, .. }
            | Term::Zext(a)
            | Term::Sext(a)
            | Term::FloatUnary(_, _, _, a)
            | Term::FloatToFloat { of: a, .. }
            | Term::FloatToInt { of: a, .. }
            | Term::IntToFloat { of: a, .. }
            | Term::ConstArray(a)
            | Term::IntegerOf { of: a, .. }
            | Term::RealOf { of: a, .. }
            | Term::ToReal(a) => ([a, none, none], 1),
            Term::Binary(_, a, b)
            | Term::FloatBinary(_, _, _, a, b)
            | Term::FloatCompare(_, _, a, b)
            | Term::Select(a, b)
            | Term::Exact(_, a, b)
            | Term::ExactCompare(_, a, b) => ([a, b, none], 2),
            Term::Ite(a, b, c) | Term::Fma(_, _, a, b, c) | Term::Store(a, b, c) => ([a, b, c], 3),
        };
        Operands { ids, count }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// A name for people; need not be unique.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The term that is this variable.
    pub term: TermId,
}

/// The arena.
#[derive(Default)]
pub struct Terms {
    terms: IndexVec<TermId, (Term, Sort)>,
    facts: IndexVec<TermId, Facts>,
    /// Of the exact ones.
    ranges: FxHashMap<TermId, Range>,
    variables: IndexVec<VarId, Variable>,
    numbers: IndexVec<NumberId, Rational>,
    numbered: FxHashMap<Rational, NumberId>,
    known: FxHashMap<(Term, Sort), TermId>,
    /// Terms are kept as they are asked for.
    pub(crate) plain: bool,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// An empty arena that does not simplify, to compare with.
    pub fn without_simplification() -> Terms {
        Terms { plain: true, ..Terms::default() }
    }

    /// The outermost operator.
    pub fn get(&self, term: TermId) -> Term {
        self.terms[term].0
    }

    /// The sort.
    pub fn sort(&self, term: TermId) -> Sort {
        self.terms[term].1
    }

    /// The width of a bit-vector. Other sorts have none, and asking for it is a bug of the caller.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => unreachable!("{term} is no bit-vector but of {sort:?}"),
        }
    }

    /// What is known of a term in all models.
    pub fn facts(&self, term: TermId) -> &Facts {
        &self.facts[term]
    }

    /// What is known of an exact number in all models.
    pub fn range(&self, term: TermId) -> &Range {
        &self.ranges[&term]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A variable that equals no other: a bit-vector or an array.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        debug_assert!(!sort.is_exact(), "exact numbers stand for bits");
        let variable = self.variables.next_index();
        let term = self.intern(Term::Var(variable), sort);
        self.variables.push(Variable { name: name.to_string(), sort, term });
        term
    }

    /// A variable's name and sort.
    pub fn variable(&self, variable: VarId) -> &Variable {
        &self.variables[variable]
    }

    /// All variables in order.
    pub fn variables(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter_enumerated()
    }

    /// The value of a constant.
    pub fn as_const(&self, term: TermId) -> Option<u128> {
        match self.get(term) {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value of an exact constant.
    pub fn as_number(&self, term: TermId) -> Option<&Rational> {
        match self.get(term) {
            Term::Number(number) => Some(&self.numbers[number]),
            _ => None,
        }
    }

    /// The value of a term that is an exact constant by its operator.
    pub(crate) fn number_at(&self, number: NumberId) -> &Rational {
        &self.numbers[number]
    }

    /// The constant of an exact sort.
    pub fn number(&mut self, sort: Sort, value: Rational) -> TermId {
        debug_assert!(sort == Sort::Real || sort == Sort::Integer && value.is_int(), "{value} in {sort:?}");
        let number = match self.numbered.get(&value) {
            Some(number) => *number,
            None => {
                let number = self.numbers.push(value.clone());
                self.numbered.insert(value, number);
                number
            }
        };
        self.intern(Term::Number(number), sort)
    }

    /// The handle of a term that needs no simplification.
    pub(crate) fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        debug_assert!(!matches!(sort, Sort::Bits(width) if !(1..=128).contains(&width)), "{term:?} {sort:?}");
        if let Some(id) = self.lookup(term, sort) {
            return id;
        }
        self.facts.push(self.derive_facts(term, sort));
        let id = self.terms.push((term, sort));
        if sort.is_exact() {
            let range = self.derive_range(term, sort);
            self.ranges.insert(id, range);
        }
        self.known.insert((term, sort), id);
        id
    }

    /// The handle of a term that exists.
    pub(crate) fn lookup(&self, term: Term, sort: Sort) -> Option<TermId> {
        self.known.get(&(term, sort)).copied()
    }

    /// The terms that `roots` are made of, themselves included, operands first.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; roots.iter().map(|root| root.index() + 1).max().unwrap_or(0)];
        let mut pending = roots.to_vec();
        while let Some(term) = pending.pop() {
            if !std::mem::replace(&mut seen[term.index()], true) {
                pending.extend_from_slice(&self.get(term).operands());
            }
        }
        (0..seen.len()).filter(|&index| seen[index]).map(TermId::new).collect()
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.terms.iter_enumerated()).finish()
    }
}

/// All ones in the low `width` bits.
pub(crate) const fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}
