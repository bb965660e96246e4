// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which exceptions an operation raises, with the meaning that the interpreter gives them.
//!
//! - overflow: finite operands, a result beyond the largest finite value;
//! - underflow: a result that is not zero and, rounded as if exponents had no end, below the least normal value;
//! - division by zero: a finite value that is not zero over zero;
//! - invalid: numbers without a result (opposite infinities added, zero times infinity, 0/0, infinity over infinity).
//!   What comes of a NaN, signalling or not, is none that this operation made.

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_ir::obligation::Raise;
use clew_ir::syntax::{BinaryOp, CompareOp};

use super::{Float, is_within_f64, largest, smallest_normal};
use crate::domain::Tri;
use crate::domain::int::Int;

/// Whether `a op b` raises something. Raises that floats do not know are never raised.
#[must_use]
pub fn raises(kind: Raise, op: BinaryOp, a: &Float, b: &Float, format: Format) -> Tri {
    match kind {
        Raise::FloatOverflow => overflows(op, a, b, format),
        Raise::FloatUnderflow => underflows(op, a, b, format),
        Raise::FloatDivisionByZero => divides_by_zero(op, a, b),
        Raise::FloatInvalid => is_invalid(op, a, b),
        _ => Tri::False,
    }
}

fn apply(op: BinaryOp, a: &Float, b: &Float, format: Format) -> Option<Float> {
    match op {
        BinaryOp::Add => Some(a.add(b, format)),
        BinaryOp::Sub => Some(a.sub(b, format)),
        BinaryOp::Mul => Some(a.mul(b, format)),
        BinaryOp::Div => Some(a.div(b, format)),
        _ => None,
    }
}

/// The members that are finite, as far as the bounds tell.
fn finite_part(set: &Float, format: Format) -> Option<Float> {
    if set.is_infinite_only() {
        return None;
    }
    let largest = largest(format).unwrap_or(f64::INFINITY);
    let numbers = Float::numbers(set.lo.max(-largest), set.hi.min(largest), set.neg_zero, set.pos_zero);
    numbers.has_numbers().then_some(numbers)
}

fn overflows(op: BinaryOp, a: &Float, b: &Float, format: Format) -> Tri {
    let (Some(x), Some(y)) = (finite_part(a, format), finite_part(b, format)) else { return Tri::False };
    // Division by zero has a raise of its own.
    let nonzero = |set: Float| Float::numbers(set.lo, set.hi, false, false);
    let divisor = if op == BinaryOp::Div { nonzero(y) } else { y };
    if !divisor.has_numbers() {
        return Tri::False;
    }
    let Some(result) = apply(op, &x, &divisor, format) else { return Tri::False };
    let all_finite = a.is_finite_tri().is_true() && b.is_finite_tri().is_true();
    let all_nonzero = op != BinaryOp::Div || !b.may_be_zero();
    let always = all_finite && all_nonzero && is_within_f64(format) && result.is_infinity();
    Tri::known(always, result.may_be_infinite())
}

fn underflows(op: BinaryOp, a: &Float, b: &Float, format: Format) -> Tri {
    // An exact zero is not tiny: a sum that is zero is exact, and so is every multiple and part of zero.
    let exact_zero = match op {
        BinaryOp::Mul => a.is_zero() || b.is_zero(),
        BinaryOp::Div => a.is_zero(),
        _ => a.is_zero() && b.is_zero(),
    };
    let Some(result) = apply(op, a, b, format) else { return Tri::False };
    Tri::known(false, !exact_zero && may_be_tiny(&result, format))
}

/// Whether a number of the set may have been rounded from a tiny one. A number just below the least normal one
/// rounds to it and is tiny nevertheless.
fn may_be_tiny(set: &Float, format: Format) -> bool {
    // Every f64 but zero is far above what is tiny in a format with a wider range.
    let least = smallest_normal(format).unwrap_or(0.0);
    set.has_numbers() && set.lo <= least && set.hi >= -least
}

fn divides_by_zero(op: BinaryOp, a: &Float, b: &Float) -> Tri {
    if op != BinaryOp::Div {
        return Tri::False;
    }
    let finite_nonzero = a.is_finite_tri().is_true() && !a.may_be_zero();
    Tri::known(finite_nonzero && b.is_zero(), a.may_be_finite_nonzero() && b.may_be_zero())
}

fn is_invalid(op: BinaryOp, a: &Float, b: &Float) -> Tri {
    let opposite = |a: &Float, b: &Float| {
        let possible = a.has_numbers() && b.has_numbers();
        possible && a.hi == f64::INFINITY && b.lo == f64::NEG_INFINITY
    };
    let opposed = |a: &Float, b: &Float| a.is_infinity() && b.is_infinity() && a.lo == -b.lo;
    let zero_and_infinity = |a: &Float, b: &Float| a.may_be_zero() && b.may_be_infinite();
    let (always, possible) = match op {
        BinaryOp::Add => (opposed(a, b), opposite(a, b) || opposite(b, a)),
        BinaryOp::Sub => {
            let b = b.neg();
            (opposed(a, &b), opposite(a, &b) || opposite(&b, a))
        }
        BinaryOp::Mul => (
            (a.is_zero() && b.is_infinity()) || (a.is_infinity() && b.is_zero()),
            zero_and_infinity(a, b) || zero_and_infinity(b, a),
        ),
        BinaryOp::Div => (
            (a.is_zero() && b.is_zero()) || (a.is_infinity() && b.is_infinity()),
            (a.may_be_zero() && b.may_be_zero()) || (a.may_be_infinite() && b.may_be_infinite()),
        ),
        _ => return Tri::False,
    };
    Tri::known(always, possible)
}

/// Whether a comparison raises "invalid": any NaN if it orders, a signalling one if it only tests equality.
#[must_use]
pub fn compare_raises(op: CompareOp, a: &Float, b: &Float) -> Tri {
    match op {
        CompareOp::Eq | CompareOp::Ne => Tri::known(false, a.signaling || b.signaling),
        _ => a.is_nan_tri().or(b.is_nan_tri()),
    }
}

/// Whether a conversion between formats raises something.
#[must_use]
pub fn convert_raises(kind: Raise, value: &Float, from: Format, to: Format) -> Tri {
    if from == to {
        return Tri::False;
    }
    match kind {
        Raise::LossyConversion => convert_is_lossy(value, from, to),
        _ if to > from => widening_raises(kind, value, from, to),
        Raise::FloatOverflow => match finite_part(value, from) {
            None => Tri::False,
            Some(finite) => {
                let result = finite.convert(from, to);
                let always = value.is_finite_tri().is_true() && result.is_infinity();
                Tri::known(always, result.may_be_infinite())
            }
        },
        Raise::FloatUnderflow => {
            let result = value.convert(from, to);
            Tri::known(false, !value.is_zero() && may_be_tiny(&result, to))
        }
        _ => Tri::False,
    }
}

/// A format with more precision holds every value of a narrower one, normal unless the exponents are no wider.
fn widening_raises(kind: Raise, value: &Float, from: Format, to: Format) -> Tri {
    let same_exponents = to.min_exponent() == from.min_exponent();
    Tri::known(false, kind == Raise::FloatUnderflow && same_exponents && !value.is_zero())
}

/// Whether a conversion between formats changes the value. Never if the format has room for all; else not known,
/// but for a single `f64` that the narrower format has.
#[must_use]
pub fn convert_is_lossy(value: &Float, from: Format, to: Format) -> Tri {
    let exact = to >= from
        || !value.has_numbers()
        || (value.lo == value.hi && super::ops::round_to(value.lo, to) == value.lo);
    Tri::known(false, !exact)
}

/// Whether a conversion to an integer type has no value: NaN, infinite, or the integral part does not fit.
#[must_use]
pub fn float_to_int_raises(value: &Float, ty: IntType) -> Tri {
    match value.to_int() {
        None => Tri::True,
        Some(integers) => match integers.fits(ty) {
            Tri::False => Tri::True,
            Tri::True if !value.nan && !value.may_be_infinite() => Tri::False,
            _ => Tri::Maybe,
        },
    }
}

/// Whether the conversion of an integer to a float overflows, or is inexact; other raises it does not know.
#[must_use]
pub fn from_int_raises(kind: Raise, value: &Int, format: Format) -> Tri {
    let result = Float::from_int(value, format);
    match kind {
        // A format whose exponents reach beyond 128 bits holds every integer; for it an unbounded set is finite.
        Raise::FloatOverflow if format.max_exponent() > 128 => Tri::False,
        Raise::FloatOverflow => {
            let bounded = value.lo() != i128::MIN && value.hi() != i128::MAX;
            Tri::known(bounded && result.is_infinity(), result.may_be_infinite())
        }
        Raise::LossyConversion => {
            let exact = 1i128 << format.precision().min(126);
            Tri::known(false, value.lo() < -exact || value.hi() > exact)
        }
        _ => Tri::False,
    }
}
