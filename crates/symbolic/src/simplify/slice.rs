// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of slices: extraction, extension, concatenation, and shifts by constants, which become those.
//!
//! A value that is stored byte by byte and loaded again must come out as itself; most rules here see to that.

use super::{Binary, Unary};
use crate::term::{BinaryOp, Sort, Term, TermId, Terms};

/// A rewrite of `of[low .. low + width]`.
type Extract = (&'static str, fn(&mut Terms, TermId, u32, u32) -> Option<TermId>);

pub(super) const ZEXT: &[Unary] = &[("zext(zext(a)) => zext(a)", |t, a, sort| match t.get(a) {
    Term::Zext(a) => Some(t.make(Term::Zext(a), sort)),
    _ => None,
})];

pub(super) const SEXT: &[Unary] = &[
    ("sext(sext(a)) => sext(a)", |t, a, sort| match t.get(a) {
        Term::Sext(a) => Some(t.make(Term::Sext(a), sort)),
        _ => None,
    }),
    ("sext(a) => zext(a), where a is not negative", |t, a, sort| {
        t.facts(a).is_nonnegative().then(|| t.make(Term::Zext(a), sort))
    }),
];

pub(super) const EXTRACT: &[Extract] = &[
    ("a[i..][j..] => a[i + j..]", |t, of, low, width| match t.get(of) {
        Term::Extract { of, low: inner } => Some(t.extract(of, inner + low, width)),
        _ => None,
    }),
    ("zext(a)[i..j] => a[i..j], or zext(a[i..])", |t, of, low, width| {
        let Term::Zext(a) = t.get(of) else { return None };
        let inner = t.width(a);
        // Above the operand all is known to be zero.
        let taken = inner.checked_sub(low).filter(|taken| *taken > 0)?.min(width);
        let slice = t.extract(a, low, taken);
        Some(t.zext(slice, width))
    }),
    ("sext(a)[i..j] => a[i..j], where j is within a", |t, of, low, width| {
        let Term::Sext(a) = t.get(of) else { return None };
        (low + width <= t.width(a)).then(|| t.extract(a, low, width))
    }),
    ("sext(a)[0..j] => sext(a), narrower", |t, of, low, width| {
        let Term::Sext(a) = t.get(of) else { return None };
        (low == 0 && width > t.width(a)).then(|| t.sext(a, width))
    }),
    ("h.l[i..j] => slices of h and l", |t, of, low, width| {
        let (high, rest) = t.operands_of(BinaryOp::Concat, of)?;
        let middle = t.width(rest);
        if low >= middle {
            return Some(t.extract(high, low - middle, width));
        }
        if low + width <= middle {
            return Some(t.extract(rest, low, width));
        }
        let high = t.extract(high, 0, low + width - middle);
        let rest = t.extract(rest, low, middle - low);
        Some(t.concat(high, rest))
    }),
];

pub(super) const CONCAT: &[Binary] = &[
    ("0.a => zext(a)", |t, a, b| (t.as_const(a)? == 0).then(|| t.zext(b, t.width(a) + t.width(b)))),
    ("a[j..k].a[i..j] => a[i..k]", adjacent),
    ("a.(b.c) => (ab).c, where a and b join", |t, a, b| {
        let (middle, low) = t.operands_of(BinaryOp::Concat, b)?;
        let joined = joined(t, a, middle)?;
        Some(t.concat(joined, low))
    }),
    ("(a.b).c => a.(bc), where b and c join", |t, a, b| {
        let (high, middle) = t.operands_of(BinaryOp::Concat, a)?;
        let joined = joined(t, middle, b)?;
        Some(t.concat(high, joined))
    }),
    ("zext(a).b => zext(a.b)", |t, a, b| {
        let Term::Zext(inner) = t.get(a) else { return None };
        let low = t.concat(inner, b);
        Some(t.zext(low, t.width(a) + t.width(b)))
    }),
];

pub(super) const SHL: &[Binary] = &[
    ("a << k => a[0..w - k].0", |t, a, b| {
        let width = t.width(a);
        let count = t.as_const(b)?;
        if count == 0 {
            return Some(a);
        }
        if count >= u128::from(width) {
            return Some(t.constant(width, 0));
        }
        let (kept, zeros) = (t.extract(a, 0, width - count as u32), t.constant(count as u32, 0));
        Some(t.concat(kept, zeros))
    }),
    ("0 << a => 0", |t, a, _| (t.as_const(a)? == 0).then_some(a)),
];

pub(super) const LSHR: &[Binary] = &[("a >> k => zext(a[k..])", |t, a, b| {
    let width = t.width(a);
    let count = t.as_const(b)?;
    if count >= u128::from(width) {
        return Some(t.constant(width, 0));
    }
    let kept = t.extract(a, count as u32, width - count as u32);
    Some(t.zext(kept, width))
})];

pub(super) const ASHR: &[Binary] = &[
    ("a >> b => logical, where a is not negative", |t, a, b| {
        t.facts(a).is_nonnegative().then(|| t.shr(a, b, false))
    }),
    ("a >> k => sext(a[k..])", |t, a, b| {
        let width = t.width(a);
        // At least the sign bit stays.
        let count = t.as_const(b)?.min(u128::from(width - 1)) as u32;
        let kept = t.extract(a, count, width - count);
        Some(t.sext(kept, width))
    }),
];

fn adjacent(t: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let (of, start, width) = as_slice(t, high);
    let (low_of, low_start, low_width) = as_slice(t, low);
    let length = width + low_width;
    if of == low_of && start == low_start + low_width {
        return Some(t.extract(of, low_start, length));
    }
    // A slice of an extension goes on where its operand ends.
    if t.get(of) == Term::Sext(low_of) && start == low_start + low_width {
        return Some(t.extract(of, low_start, length));
    }
    // Copies of a sign bit above its own slice extend it.
    if width == 1 && t.get(high) == (Term::Extract { of: low_of, low: low_start + low_width - 1 }) {
        return Some(t.make(Term::Sext(low), Sort::Bits(length)));
    }
    None
}

/// Two neighbours as one term: constants, or adjacent slices.
fn joined(t: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    if t.as_const(high).is_some() && t.as_const(low).is_some() {
        return Some(t.concat(high, low));
    }
    adjacent(t, high, low)
}

/// The term as a slice: of what, from where, how long.
fn as_slice(t: &Terms, term: TermId) -> (TermId, u32, u32) {
    match t.get(term) {
        Term::Extract { of, low } => (of, low, t.width(term)),
        _ => (term, 0, t.width(term)),
    }
}
