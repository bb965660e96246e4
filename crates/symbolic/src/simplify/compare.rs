// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of comparisons.

use super::Binary;
use crate::term::{BinaryOp, Sort, Term, TermId, Terms, mask};

pub(super) const EQ: &[Binary] = &[
    ("a == a => 1", |t, a, b| (a == b).then(|| t.bool(true))),
    ("a == 1 => a, one bit", |t, a, b| t.is_true(b).then_some(a)),
    ("a == 0 => ~a, one bit", |t, a, b| t.is_false(b).then(|| t.not(a))),
    ("a == ~a => 0", |t, a, b| t.are_complements(a, b).then(|| t.bool(false))),
    ("~a == k => a == ~k", |t, a, b| {
        let (a, k) = (t.complement(a)?, t.as_const(b)?);
        let k = t.constant(t.width(b), !k);
        Some(t.eq(a, k))
    }),
    ("a + k1 == k2 => a == k2 - k1", |t, a, b| {
        let ((a, k1), k2) = (t.with_constant(BinaryOp::Add, a)?, t.as_const(b)?);
        let k = t.constant(t.width(b), k2.wrapping_sub(k1));
        Some(t.eq(a, k))
    }),
    ("k1 - a == k2 => a == k1 - k2", |t, a, b| {
        let ((k1, a), k2) = (t.operands_of(BinaryOp::Sub, a)?, t.as_const(b)?);
        let k = t.constant(t.width(b), t.as_const(k1)?.wrapping_sub(k2));
        Some(t.eq(a, k))
    }),
    ("a - b == 0 => a == b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Sub, a)?;
        (t.as_const(b)? == 0).then(|| t.eq(x, y))
    }),
    ("a ^ b == 0 => a == b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Xor, a)?;
        (t.as_const(b)? == 0).then(|| t.eq(x, y))
    }),
    ("a + b == a => b == 0", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Add, a)?;
        let rest = if x == b {
            y
        } else if y == b {
            x
        } else {
            return None;
        };
        let zero = t.constant(t.width(b), 0);
        Some(t.eq(rest, zero))
    }),
    ("a + b == a + c => b == c", |t, a, b| {
        let ((x, y), (u, v)) = (t.operands_of(BinaryOp::Add, a)?, t.operands_of(BinaryOp::Add, b)?);
        let (x, u) = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)]
            .into_iter()
            .find(|(x, _, u, _)| x == u)
            .map(|(_, y, _, v)| (y, v))?;
        Some(t.eq(x, u))
    }),
    ("a.b == k => a == k.. & b == ..k", |t, a, b| {
        let ((high, low), k) = (t.operands_of(BinaryOp::Concat, a)?, t.as_const(b)?);
        let (upper, lower) = (t.constant(t.width(high), k >> t.width(low)), t.constant(t.width(low), k));
        let (upper, lower) = (t.eq(high, upper), t.eq(low, lower));
        Some(t.and(upper, lower))
    }),
    ("ext(a) == ext(b) => a == b", |t, a, b| {
        let (a, b) = narrowed(t, a, b)?;
        Some(t.eq(a, b))
    }),
    ("(c?a:k1) == k2 => c?(a == k2):(k1 == k2)", |t, a, b| {
        t.as_const(b)?;
        choice(t, a, |t, a| t.eq(a, b))
    }),
];

pub(super) const ULT: &[Binary] = &[
    ("a < a => 0", |t, a, b| (a == b).then(|| t.bool(false))),
    ("0 < a => a != 0", |t, a, b| (t.as_const(a)? == 0).then(|| t.nonzero(b))),
    ("a < 1 => a == 0", |t, a, b| {
        (t.as_const(b)? == 1).then(|| {
            let zero = t.constant(t.width(a), 0);
            t.eq(a, zero)
        })
    }),
    ("a < ones => a != ones", |t, a, b| t.is_ones(b).then(|| t.ne(a, b))),
    ("ext(a) < ext(b) => a < b", |t, a, b| {
        let (a, b) = narrowed(t, a, b)?;
        Some(t.lt(a, b, false))
    }),
    ("(c?a:k1) < k2 => c?(a < k2):(k1 < k2)", |t, a, b| {
        t.as_const(b)?;
        choice(t, a, |t, a| t.lt(a, b, false))
    }),
    ("k2 < (c?a:k1) => c?(k2 < a):(k2 < k1)", |t, a, b| {
        t.as_const(a)?;
        choice(t, b, |t, b| t.lt(a, b, false))
    }),
];

pub(super) const SLT: &[Binary] = &[
    ("a < a => 0, signed", |t, a, b| (a == b).then(|| t.bool(false))),
    ("a < b => unsigned, where the signs are equal", |t, a, b| {
        let (x, y) = (t.facts(a), t.facts(b));
        let same = x.is_nonnegative() && y.is_nonnegative() || x.is_negative() && y.is_negative();
        same.then(|| t.lt(a, b, false))
    }),
    ("a < 0 => sign bit of a, signed", |t, a, b| {
        (t.as_const(b)? == 0).then(|| t.extract(a, t.width(a) - 1, 1))
    }),
    ("-1 < a => ~sign bit of a, signed", |t, a, b| {
        t.is_ones(a).then(|| {
            let sign = t.extract(b, t.width(b) - 1, 1);
            t.not(sign)
        })
    }),
    ("sext(a) < sext(b) => a < b, signed", |t, a, b| {
        let (x, y) = (sign_extended(t, a), sign_extended(t, b));
        let (x, y) = match (x, y) {
            (Some(x), Some(y)) if t.sort(x) == t.sort(y) => (x, y),
            (Some(x), None) => (x, narrow_constant(t, b, t.width(x), true)?),
            (None, Some(y)) => (narrow_constant(t, a, t.width(y), true)?, y),
            _ => return None,
        };
        Some(t.lt(x, y, true))
    }),
    ("(c?a:k1) < k2 => c?(a < k2):(k1 < k2), signed", |t, a, b| {
        t.as_const(b)?;
        choice(t, a, |t, a| t.lt(a, b, true))
    }),
    ("k2 < (c?a:k1) => c?(k2 < a):(k2 < k1), signed", |t, a, b| {
        t.as_const(a)?;
        choice(t, b, |t, b| t.lt(a, b, true))
    }),
];

/// A predicate of a choice with a constant branch as a choice of predicates.
fn choice(t: &mut Terms, term: TermId, predicate: impl Fn(&mut Terms, TermId) -> TermId) -> Option<TermId> {
    let Term::Ite(condition, a, b) = t.get(term) else { return None };
    if t.as_const(a).is_none() && t.as_const(b).is_none() {
        return None;
    }
    let (a, b) = (predicate(t, a), predicate(t, b));
    Some(t.ite(condition, a, b))
}

fn sign_extended(t: &Terms, term: TermId) -> Option<TermId> {
    match t.get(term) {
        Term::Sext(a) => Some(a),
        _ => None,
    }
}

/// The operands of two extensions of one kind from one width, or of one and a constant that has that form. Both
/// kinds keep the unsigned order, and equality.
fn narrowed(t: &mut Terms, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
    match (t.get(a), t.get(b)) {
        (Term::Zext(x), Term::Zext(y)) | (Term::Sext(x), Term::Sext(y)) if t.sort(x) == t.sort(y) => {
            Some((x, y))
        }
        (Term::Zext(x), Term::Const(_)) => Some((x, narrow_constant(t, b, t.width(x), false)?)),
        (Term::Sext(x), Term::Const(_)) => Some((x, narrow_constant(t, b, t.width(x), true)?)),
        (Term::Const(_), Term::Zext(y)) => Some((narrow_constant(t, a, t.width(y), false)?, y)),
        (Term::Const(_), Term::Sext(y)) => Some((narrow_constant(t, a, t.width(y), true)?, y)),
        _ => None,
    }
}

/// The constant in fewer bits, if extending it gives it back.
fn narrow_constant(t: &mut Terms, term: TermId, width: u32, signed: bool) -> Option<TermId> {
    let (value, sort) = (t.as_const(term)?, t.sort(term));
    let Sort::Bits(wide) = sort else { return None };
    let sign = signed && value >> (width - 1) & 1 == 1;
    let above = mask(wide) & !mask(width);
    let expected = if sign { above } else { 0 };
    (value & above == expected).then(|| t.constant(width, value))
}
