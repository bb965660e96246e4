// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of exact numbers. Constants move across comparisons, so that what is claimed of `a + 1` or `10 * a` becomes a
//! comparison of `a`, and comparisons of what bits stand for become comparisons of bits.
//!
//! In the texts `int(a)` and `real(a)` are the numbers that bits and floats stand for.

use clew_base::exact::{Rational, power_of_two};
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::ArithOp;

use super::Binary;
use crate::term::{ExactRelation, Term, TermId, Terms};

/// A rewrite of the real that a float of a format stands for.
type OfFloat = (&'static str, fn(&mut Terms, Format, TermId) -> Option<TermId>);

pub(super) fn arithmetic(op: ArithOp) -> &'static [Binary] {
    match op {
        ArithOp::Add => ADD,
        ArithOp::Sub => SUB,
        ArithOp::Mul => MUL,
    }
}

pub(super) fn comparison(relation: ExactRelation) -> &'static [Binary] {
    match relation {
        ExactRelation::Eq => EQ,
        ExactRelation::Lt => LT,
    }
}

const ADD: &[Binary] = &[
    ("a + 0 => a, exact", |t, a, b| t.as_number(b)?.is_zero().then_some(a)),
    ("(a + k1) + k2 => a + (k1 + k2), exact", |t, a, b| {
        let (x, k) = with_number(t, ArithOp::Add, a)?;
        let k = t.number(t.sort(a), k + t.as_number(b)?);
        Some(t.exact(ArithOp::Add, x, k))
    }),
];

const SUB: &[Binary] = &[
    ("a - a => 0, exact", |t, a, b| (a == b).then(|| t.number(t.sort(a), Rational::ZERO))),
    ("a - k => a + -k, exact", |t, a, b| {
        let k = -t.as_number(b)?.clone();
        let k = t.number(t.sort(a), k);
        Some(t.exact(ArithOp::Add, a, k))
    }),
];

const MUL: &[Binary] = &[
    ("a * 1 => a, exact", |t, a, b| t.as_number(b)?.is_one().then_some(a)),
    ("(a * k1) * k2 => a * (k1 * k2), exact", |t, a, b| {
        let (x, k) = with_number(t, ArithOp::Mul, a)?;
        let k = t.number(t.sort(a), k * t.as_number(b)?);
        Some(t.exact(ArithOp::Mul, x, k))
    }),
];

const LT: &[Binary] = &[
    ("a < a => 0, exact", |t, a, b| (a == b).then(|| t.bool(false))),
    ("a < k => a < k', the next multiple of a's unit, exact", |t, a, b| {
        let k = t.as_number(b)?.clone();
        (on_grid(t, a, &k, true) != k).then(|| below(t, a, &k))
    }),
    ("k < a => k' < a, the multiple of a's unit before, exact", |t, a, b| {
        let k = t.as_number(a)?.clone();
        (on_grid(t, b, &k, false) != k).then(|| above(t, b, &k))
    }),
    ("a + k1 < k2 => a < k2 - k1, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Add, a)?, t.as_number(b)?);
        let k = k2 - k1;
        Some(below(t, x, &k))
    }),
    ("k2 < a + k1 => k2 - k1 < a, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Add, b)?, t.as_number(a)?);
        let k = k2 - k1;
        Some(above(t, x, &k))
    }),
    ("k1 - a < k2 => k1 - k2 < a, exact", |t, a, b| {
        let ((k1, x), k2) = (from_number(t, a)?, t.as_number(b)?);
        let k = k1 - k2;
        Some(above(t, x, &k))
    }),
    ("k2 < k1 - a => a < k1 - k2, exact", |t, a, b| {
        let ((k1, x), k2) = (from_number(t, b)?, t.as_number(a)?);
        let k = k1 - k2;
        Some(below(t, x, &k))
    }),
    ("a - b < 0 => a < b, exact", |t, a, b| {
        let (x, y) = operands_of(t, ArithOp::Sub, a)?;
        t.as_number(b)?.is_zero().then(|| t.exact_lt(x, y))
    }),
    ("0 < a - b => b < a, exact", |t, a, b| {
        let (x, y) = operands_of(t, ArithOp::Sub, b)?;
        t.as_number(a)?.is_zero().then(|| t.exact_lt(y, x))
    }),
    ("a * k1 < k2 => a < k2 / k1, or > where k1 < 0, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Mul, a)?, t.as_number(b)?);
        let k = k2 / &k1;
        Some(if k1 > Rational::ZERO { below(t, x, &k) } else { above(t, x, &k) })
    }),
    ("k2 < a * k1 => k2 / k1 < a, or > where k1 < 0, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Mul, b)?, t.as_number(a)?);
        let k = k2 / &k1;
        Some(if k1 > Rational::ZERO { above(t, x, &k) } else { below(t, x, &k) })
    }),
    ("int(a) < k => a < k, bits", |t, a, b| {
        let (a, b, signed) = bits_and_constant(t, a, b)?;
        Some(t.lt(a, b, signed))
    }),
    ("k < int(a) => k < a, bits", |t, a, b| {
        let (b, a, signed) = bits_and_constant(t, b, a)?;
        Some(t.lt(a, b, signed))
    }),
    ("int(a) < int(b) => a < b, bits", |t, a, b| {
        let (a, b, signed) = both_bits(t, a, b)?;
        Some(t.lt(a, b, signed))
    }),
    ("to_real(a) < k => a < k", |t, a, b| {
        let (a, k) = (integer_under(t, a)?, t.as_number(b)?.clone());
        Some(below(t, a, &k))
    }),
    ("k < to_real(a) => k < a", |t, a, b| {
        let (k, b) = (t.as_number(a)?.clone(), integer_under(t, b)?);
        Some(above(t, b, &k))
    }),
    ("to_real(a) < to_real(b) => a < b", |t, a, b| {
        let (a, b) = (integer_under(t, a)?, integer_under(t, b)?);
        Some(t.exact_lt(a, b))
    }),
    // The float just below a number is less than all floats above it, so nothing is lost by rounding outward.
    ("real(a) < k => finite(a)?(a < up(k)):(0 < k)", |t, a, b| {
        let ((format, a), k) = (float_under(t, a)?, t.as_number(b)?.clone());
        let limit = t.float(Float::from_exact(format, &k, Rounding::Up).0);
        let less = t.float_lt(format, a, limit);
        let otherwise = t.bool(Rational::ZERO < k);
        let finite = t.is_finite(format, a);
        Some(t.ite(finite, less, otherwise))
    }),
    ("k < real(a) => finite(a)?(down(k) < a):(k < 0)", |t, a, b| {
        let (k, (format, b)) = (t.as_number(a)?.clone(), float_under(t, b)?);
        let limit = t.float(Float::from_exact(format, &k, Rounding::Down).0);
        let less = t.float_lt(format, limit, b);
        let otherwise = t.bool(k < Rational::ZERO);
        let finite = t.is_finite(format, b);
        Some(t.ite(finite, less, otherwise))
    }),
    ("real(a) < real(b) => a < b, those that are not finite as zero", |t, a, b| {
        let (format, a, b) = both_floats(t, a, b)?;
        Some(t.float_lt(format, a, b))
    }),
];

const EQ: &[Binary] = &[
    ("a == a => 1, exact", |t, a, b| (a == b).then(|| t.bool(true))),
    ("a == k => 0, where k is no multiple of a's unit, exact", |t, a, b| {
        let k = t.as_number(b)?.clone();
        (on_grid(t, a, &k, true) != k).then(|| t.bool(false))
    }),
    ("a + k1 == k2 => a == k2 - k1, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Add, a)?, t.as_number(b)?);
        let k = k2 - k1;
        Some(equal(t, x, &k))
    }),
    ("k1 - a == k2 => a == k1 - k2, exact", |t, a, b| {
        let ((k1, x), k2) = (from_number(t, a)?, t.as_number(b)?);
        let k = k1 - k2;
        Some(equal(t, x, &k))
    }),
    ("a - b == 0 => a == b, exact", |t, a, b| {
        let (x, y) = operands_of(t, ArithOp::Sub, a)?;
        t.as_number(b)?.is_zero().then(|| t.exact_eq(x, y))
    }),
    ("a * k1 == k2 => a == k2 / k1, exact", |t, a, b| {
        let ((x, k1), k2) = (with_number(t, ArithOp::Mul, a)?, t.as_number(b)?);
        let k = k2 / k1;
        Some(equal(t, x, &k))
    }),
    ("int(a) == k => a == k, bits", |t, a, b| {
        let (a, b, _) = bits_and_constant(t, a, b)?;
        Some(t.eq(a, b))
    }),
    ("int(a) == int(b) => a == b, bits", |t, a, b| {
        let (a, b, _) = both_bits(t, a, b)?;
        Some(t.eq(a, b))
    }),
    ("to_real(a) == k => a == k", |t, a, b| {
        let (a, k) = (integer_under(t, a)?, t.as_number(b)?.clone());
        Some(equal(t, a, &k))
    }),
    ("to_real(a) == to_real(b) => a == b", |t, a, b| {
        let (a, b) = (integer_under(t, a)?, integer_under(t, b)?);
        Some(t.exact_eq(a, b))
    }),
    ("real(a) == k => finite(a)?(a == k):(k == 0); 0 where k is no float", |t, a, b| {
        let ((format, a), k) = (float_under(t, a)?, t.as_number(b)?.clone());
        let nearest = Float::from_exact(format, &k, Rounding::Down).0;
        if nearest.exact().as_ref() != Some(&k) {
            return Some(t.bool(false));
        }
        let nearest = t.float(nearest);
        let same = t.float_eq(format, a, nearest);
        let otherwise = t.bool(k.is_zero());
        let finite = t.is_finite(format, a);
        Some(t.ite(finite, same, otherwise))
    }),
    ("real(a) == real(b) => a == b, those that are not finite as zero", |t, a, b| {
        let (format, a, b) = both_floats(t, a, b)?;
        Some(t.float_eq(format, a, b))
    }),
];

pub(super) const REAL_OF: &[OfFloat] = &[
    ("real(wide(a)) => real(a)", |t, format, of| {
        let Term::FloatToFloat { from, of: a, .. } = t.get(of) else { return None };
        (from < format).then(|| t.real_of(from, a))
    }),
    ("real(float(a)) => to_real(int(a)), where the significand holds it", |t, format, of| {
        let Term::IntToFloat { signed, of: a, .. } = t.get(of) else { return None };
        let integer = t.integer_of(a, signed);
        // What it is a multiple of needs no digits.
        let range = t.range(integer);
        let most = power_of_two(i64::from(format.precision()) + range.unit.unwrap_or(0));
        let largest = Float::largest(format, false).exact()?;
        let holds = |end: &Rational| *end <= most && *end <= largest;
        (holds(&range.greatest) && holds(&-&range.least)).then(|| t.to_real(integer))
    }),
];

/// `a < k`
fn below(t: &mut Terms, a: TermId, k: &Rational) -> TermId {
    let k = on_grid(t, a, k, true);
    let k = t.number(t.sort(a), k);
    t.exact_lt(a, k)
}

/// `k < a`
fn above(t: &mut Terms, a: TermId, k: &Rational) -> TermId {
    let k = on_grid(t, a, k, false);
    let k = t.number(t.sort(a), k);
    t.exact_lt(k, a)
}

/// `a == k`
fn equal(t: &mut Terms, a: TermId, k: &Rational) -> TermId {
    if on_grid(t, a, k, true) != *k {
        return t.bool(false);
    }
    let k = t.number(t.sort(a), k.clone());
    t.exact_eq(a, k)
}

/// The multiple of a term's unit next to a number, above or below, which compares with the term as the number does.
fn on_grid(t: &Terms, a: TermId, k: &Rational, up: bool) -> Rational {
    let Some(unit) = t.range(a).unit else { return k.clone() };
    let scaled = k * power_of_two(-unit);
    let whole = if up { scaled.ceil() } else { scaled.floor() };
    Rational::from(whole) * power_of_two(unit)
}

fn operands_of(t: &Terms, op: ArithOp, term: TermId) -> Option<(TermId, TermId)> {
    match t.get(term) {
        Term::Exact(found, a, b) if found == op => Some((a, b)),
        _ => None,
    }
}

/// The operands, if the second is a constant.
fn with_number(t: &Terms, op: ArithOp, term: TermId) -> Option<(TermId, Rational)> {
    let (a, b) = operands_of(t, op, term)?;
    Some((a, t.as_number(b)?.clone()))
}

/// The operands of a difference from a constant.
fn from_number(t: &Terms, term: TermId) -> Option<(Rational, TermId)> {
    let (a, b) = operands_of(t, ArithOp::Sub, term)?;
    Some((t.as_number(a)?.clone(), b))
}

fn integer_under(t: &Terms, term: TermId) -> Option<TermId> {
    match t.get(term) {
        Term::ToReal(a) => Some(a),
        _ => None,
    }
}

fn float_under(t: &Terms, term: TermId) -> Option<(Format, TermId)> {
    match t.get(term) {
        Term::RealOf { format, of } => Some((format, of)),
        _ => None,
    }
}

/// The bits of an integer and a constant of their width. One that does not fit them was decided by ranges.
fn bits_and_constant(t: &mut Terms, a: TermId, k: TermId) -> Option<(TermId, TermId, bool)> {
    let Term::IntegerOf { signed, of } = t.get(a) else { return None };
    let k = t.as_number(k)?.numerator();
    let bits = if signed { i128::try_from(k).ok()? as u128 } else { u128::try_from(k).ok()? };
    Some((of, t.constant(t.width(of), bits), signed))
}

/// The bits of two integers, in a width and signedness that keep both.
fn both_bits(t: &mut Terms, a: TermId, b: TermId) -> Option<(TermId, TermId, bool)> {
    let (Term::IntegerOf { signed: x, of: a }, Term::IntegerOf { signed: y, of: b }) = (t.get(a), t.get(b))
    else {
        return None;
    };
    let signed = x || y;
    // One bit more makes an unsigned number a signed one.
    let (wide_a, wide_b) = (t.width(a) + u32::from(signed && !x), t.width(b) + u32::from(signed && !y));
    let width = wide_a.max(wide_b);
    (width <= 128).then(|| (t.resize(a, width, x), t.resize(b, width, y), signed))
}

/// Two floats in a format that keeps both, with zeros for what is not finite.
fn both_floats(t: &mut Terms, a: TermId, b: TermId) -> Option<(Format, TermId, TermId)> {
    let (one, other) = (float_under(t, a)?, float_under(t, b)?);
    let format = one.0.max(other.0);
    let mut in_format = |(from, of): (Format, TermId)| {
        let finite = t.is_finite(from, of);
        let zero = t.constant(from.bits(), 0);
        let value = t.ite(finite, of, zero);
        t.float_to_float(from, format, Rounding::NearestEven, value)
    };
    Some((format, in_format(one), in_format(other)))
}
