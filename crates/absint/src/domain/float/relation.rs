// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons, and what they teach about their operands.

use clew_base::float::Format;
use clew_ir::syntax::CompareOp;

use super::{Float, is_within_f64};
use crate::domain::Tri;
use crate::domain::int::Int;

/// Whether `a op b` holds for members of the sets. With a NaN all but `!=` are false.
#[must_use]
pub fn compare(op: CompareOp, a: &Float, b: &Float) -> Tri {
    match op {
        CompareOp::Lt => ordered(a, b, a.hi < b.lo, a.lo < b.hi),
        CompareOp::Le => ordered(a, b, a.hi <= b.lo, a.lo <= b.hi),
        CompareOp::Gt => ordered(b, a, b.hi < a.lo, b.lo < a.hi),
        CompareOp::Ge => ordered(b, a, b.hi <= a.lo, b.lo <= a.hi),
        CompareOp::Eq => equal(a, b),
        CompareOp::Ne => equal(a, b).not(),
    }
}

/// A relation that no NaN is in.
fn ordered(a: &Float, b: &Float, always: bool, possible: bool) -> Tri {
    let numbers = a.has_numbers() && b.has_numbers();
    Tri::known(always && !a.nan && !b.nan, possible && numbers)
}

fn equal(a: &Float, b: &Float) -> Tri {
    let possible = common(a, b).is_some();
    ordered(a, b, a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, possible)
}

/// The members that equal one of the other set, of each. The two zeros are equal.
fn common(a: &Float, b: &Float) -> Option<(Float, Float)> {
    let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
    let zero = a.may_be_zero() && b.may_be_zero();
    let of = |set: &Float| {
        let numbers = Float::numbers(lo, hi, zero && set.neg_zero, zero && set.pos_zero);
        numbers.has_numbers().then_some(numbers)
    };
    Some((of(a)?, of(b)?))
}

/// The sets restricted to pairs for which `a op b` is true; none if there is no such pair.
#[must_use]
pub fn refine(op: CompareOp, a: &Float, b: &Float, format: Format) -> Option<(Float, Float)> {
    match op {
        CompareOp::Eq => common(a, b),
        CompareOp::Ne => different(a, b, format),
        CompareOp::Lt => order(a, b, true, format),
        CompareOp::Le => order(a, b, false, format),
        CompareOp::Gt => order(b, a, true, format).map(|(b, a)| (a, b)),
        CompareOp::Ge => order(b, a, false, format).map(|(b, a)| (a, b)),
    }
}

/// `a < b` or `a <= b`.
fn order(a: &Float, b: &Float, strict: bool, format: Format) -> Option<(Float, Float)> {
    if !a.has_numbers() || !b.has_numbers() {
        return None;
    }
    let (top, bottom) = if strict { (below(b.hi, format), above(a.lo, format)) } else { (b.hi, a.lo) };
    // Where a strict bound cannot be moved, at least a zero bound excludes the zeros.
    let zero = |bound: f64| !(strict && bound == 0.0);
    let restrict = |set: &Float, lo: f64, hi: f64, zero: bool| {
        let numbers = Float::numbers(lo, hi, zero && set.neg_zero, zero && set.pos_zero);
        numbers.has_numbers().then_some(numbers)
    };
    let smaller = restrict(a, a.lo, a.hi.min(top), zero(b.hi))?;
    let larger = restrict(b, b.lo.max(bottom), b.hi, zero(a.lo))?;
    Some((smaller, larger))
}

/// The pairs that are not equal, those with NaN among them.
fn different(a: &Float, b: &Float, format: Format) -> Option<(Float, Float)> {
    Some((without(a, b, format)?, without(b, a, format)?))
}

/// The members of `a` that differ from the only member of `b`, if it has one.
fn without(a: &Float, b: &Float, format: Format) -> Option<Float> {
    if b.nan || b.lo != b.hi {
        return Some(*a);
    }
    let value = b.lo;
    let zero = value != 0.0;
    let lo = if a.lo == value { above(value, format) } else { a.lo };
    let hi = if a.hi == value { below(value, format) } else { a.hi };
    let only = a.lo == value && a.hi == value;
    let numbers =
        if only { Float::EMPTY } else { Float::numbers(lo, hi, zero && a.neg_zero, zero && a.pos_zero) };
    Float { nan: a.nan, signaling: a.signaling, ..numbers }.nonempty()
}

/// The sets restricted to pairs for which `a op b` is false: a NaN is there, or the opposite holds.
#[must_use]
pub fn refine_false(op: CompareOp, a: &Float, b: &Float, format: Format) -> Option<(Float, Float)> {
    let opposite = op.negated();
    if matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return refine(opposite, a, b, format);
    }
    let nan_of = |set: &Float| Float { nan: set.nan, signaling: set.signaling, ..Float::EMPTY };
    let numbers = refine(opposite, a, b, format);
    // A NaN on one side says nothing of the other.
    let (x, y) = numbers.unwrap_or((Float::EMPTY, Float::EMPTY));
    let left = if b.nan { *a } else { x.join(&nan_of(a)) };
    let right = if a.nan { *b } else { y.join(&nan_of(b)) };
    Some((left.nonempty()?, right.nonempty()?))
}

impl Float {
    /// The members that are of a format; none if there are none.
    #[must_use]
    pub fn of_format(&self, format: Format) -> Option<Float> {
        if format != Format::F32 || !self.has_numbers() {
            return Some(*self);
        }
        let is_member = |bound: f64| f64::from(bound as f32) == bound;
        let lo = if is_member(self.lo) { self.lo } else { above(self.lo, format) };
        let hi = if is_member(self.hi) { self.hi } else { below(self.hi, format) };
        let numbers = Float::numbers(lo, hi, self.neg_zero, self.pos_zero);
        Float { nan: self.nan, signaling: self.signaling, ..numbers }.nonempty()
    }

    /// The members that are (or are not) NaN.
    #[must_use]
    pub fn nan_only_if(&self, nan: bool) -> Option<Float> {
        if nan { self.meet(&Float::nan()) } else { self.without_nan() }
    }

    /// The members that are (or are not) infinite.
    #[must_use]
    pub fn infinite_if(&self, infinite: bool, format: Format) -> Option<Float> {
        if !infinite {
            return self.meet(&Float::finite(format).with_nan());
        }
        let lo = if self.lo == f64::NEG_INFINITY { self.lo } else { f64::INFINITY };
        let hi = if self.hi == f64::INFINITY { self.hi } else { f64::NEG_INFINITY };
        let of = |bound: f64| {
            if self.may_be_infinite() { Float::numbers(bound, bound, false, false) } else { Float::EMPTY }
        };
        match () {
            () if lo > hi => None,
            () if !is_within_f64(format) => self.without_nan(),
            () => of(lo).join(&of(hi)).nonempty(),
        }
    }

    /// The members that are (or are not) finite.
    #[must_use]
    pub fn finite_if(&self, finite: bool, format: Format) -> Option<Float> {
        if finite {
            return self.meet(&Float::finite(format));
        }
        let nan = self.meet(&Float::nan());
        match (self.infinite_if(true, format), nan) {
            (Some(a), Some(b)) => Some(a.join(&b)),
            (a, b) => a.or(b),
        }
    }

    /// The members whose sign bit is (or is not) set.
    #[must_use]
    pub fn negative_if(&self, negative: bool) -> Option<Float> {
        let positive = Float::numbers(0.0, f64::INFINITY, false, true).with_nan();
        self.meet(&if negative { positive.neg() } else { positive })
    }

    /// 1 for infinity, -1 for that below zero, 0 for everything else.
    #[must_use]
    pub fn infinity_sign(&self) -> Int {
        let numbers = self.has_numbers();
        let up = numbers && self.hi == f64::INFINITY;
        let down = numbers && self.lo == f64::NEG_INFINITY;
        let other = !self.is_infinity();
        let answers = [(up, 1), (down, -1), (other, 0)];
        let possible = answers.iter().filter(|(may, _)| *may).map(|(_, answer)| Int::constant(*answer));
        possible.reduce(|a, b| a.join(&b)).unwrap_or(Int::constant(0))
    }
}

/// The greatest value of the format below a bound; the bound itself where an `f64` cannot say.
pub(crate) fn below(bound: f64, format: Format) -> f64 {
    -above(-bound, format)
}

/// The least value of the format above a bound; the bound itself where an `f64` cannot say.
pub(crate) fn above(bound: f64, format: Format) -> f64 {
    match format {
        Format::F64 => bound.next_up(),
        Format::F32 => {
            let nearest = bound as f32;
            f64::from(if f64::from(nearest) > bound { nearest } else { nearest.next_up() })
        }
        _ => {
            debug_assert!(!is_within_f64(format) || format == Format::F16);
            bound
        }
    }
}
