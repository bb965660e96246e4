// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of complement, conjunction, disjunction, exclusive or, and choice.

use super::{Binary, Ternary, Unary};
use crate::term::{BinaryOp, Sort, Term, TermId, Terms, mask};

pub(super) const NOT: &[Unary] = &[("~~a => a", |t, a, _| t.complement(a))];

pub(super) const AND: &[Binary] = &[
    ("a & a => a", |_, a, b| (a == b).then_some(a)),
    ("a & ~a => 0", |t, a, b| t.are_complements(a, b).then(|| t.constant(t.width(a), 0))),
    ("a & k => a, where the bits off in k are off in a", |t, a, b| {
        let k = t.as_const(b)?;
        let facts = t.facts(a);
        (!k & !facts.zeros & mask(facts.width) == 0).then_some(a)
    }),
    ("(a & k1) & k2 => a & (k1 & k2)", |t, a, b| reassociate(t, BinaryOp::And, a, b)),
    ("a & (2^n - 1) => zext(a[0..n])", |t, a, b| {
        let ones = t.as_const(b)?.trailing_ones();
        if ones == 0 || ones >= t.width(a) || t.as_const(b)? != mask(ones) {
            return None;
        }
        let low = t.extract(a, 0, ones);
        Some(t.zext(low, t.width(a)))
    }),
    ("a & (a & b) => a & b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, b)?;
        (x == a || y == a).then_some(b)
    }),
    ("a & (~a & b) => 0", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, b)?;
        (t.are_complements(a, x) || t.are_complements(a, y)).then(|| t.constant(t.width(a), 0))
    }),
    ("a & (a | b) => a", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Or, b)?;
        (x == a || y == a).then_some(a)
    }),
    ("a & (~a | b) => a & b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Or, b)?;
        let rest = other_than_complement(t, a, x, y)?;
        Some(t.and(a, rest))
    }),
    ("a & ~(a & b) => a & ~b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, t.complement(b)?)?;
        let rest = if x == a {
            y
        } else if y == a {
            x
        } else {
            return None;
        };
        let rest = t.not(rest);
        Some(t.and(a, rest))
    }),
    ("a & ~(~a & b) => a", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, t.complement(b)?)?;
        (t.are_complements(a, x) || t.are_complements(a, y)).then_some(a)
    }),
    ("a & ~(a | b) => 0", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Or, t.complement(b)?)?;
        (x == a || y == a).then(|| t.constant(t.width(a), 0))
    }),
];

pub(super) const OR: &[Binary] = &[
    ("a | a => a", |_, a, b| (a == b).then_some(a)),
    ("a | ~a => ones", |t, a, b| t.are_complements(a, b).then(|| t.constant(t.width(a), mask(t.width(a))))),
    ("a | k => a, where the bits on in k are on in a", |t, a, b| {
        let k = t.as_const(b)?;
        (k & !t.facts(a).ones == 0).then_some(a)
    }),
    ("(a | k1) | k2 => a | (k1 | k2)", |t, a, b| reassociate(t, BinaryOp::Or, a, b)),
    ("a | (a | b) => a | b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Or, b)?;
        (x == a || y == a).then_some(b)
    }),
    ("a | (a & b) => a", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, b)?;
        (x == a || y == a).then_some(a)
    }),
    ("a | (~a & b) => a | b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::And, b)?;
        let rest = other_than_complement(t, a, x, y)?;
        Some(t.or(a, rest))
    }),
    ("(a & b) | (a & ~b) => a", |t, a, b| {
        let ((x, y), (u, v)) = (t.operands_of(BinaryOp::And, a)?, t.operands_of(BinaryOp::And, b)?);
        [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)]
            .into_iter()
            .find(|&(x, y, u, v)| x == u && t.are_complements(y, v))
            .map(|(x, ..)| x)
    }),
];

pub(super) const XOR: &[Binary] = &[
    ("a ^ 0 => a", |t, a, b| (t.as_const(b)? == 0).then_some(a)),
    ("a ^ a => 0", |t, a, b| (a == b).then(|| t.constant(t.width(a), 0))),
    ("a ^ ones => ~a", |t, a, b| t.is_ones(b).then(|| t.not(a))),
    ("a ^ ~b => ~(a ^ b)", |t, a, b| {
        let b = t.complement(b)?;
        let xor = t.xor(a, b);
        Some(t.not(xor))
    }),
    ("(a ^ k1) ^ k2 => a ^ (k1 ^ k2)", |t, a, b| reassociate(t, BinaryOp::Xor, a, b)),
    ("a ^ (a ^ b) => b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Xor, b)?;
        if x == a { Some(y) } else { (y == a).then_some(x) }
    }),
];

pub(super) const ITE: &[Ternary] = &[
    ("k?a:b => a or b", |t, c, a, b| Some(if t.as_const(c)? == 1 { a } else { b })),
    ("c?a:a => a", |_, _, a, b| (a == b).then_some(a)),
    ("~c?a:b => c?b:a", |t, c, a, b| {
        let c = t.complement(c)?;
        Some(t.ite(c, b, a))
    }),
    ("c?1:b => c | b, one bit", |t, c, a, b| t.is_true(a).then(|| t.or(c, b))),
    ("c?0:b => ~c & b, one bit", |t, c, a, b| {
        t.is_false(a).then(|| {
            let c = t.not(c);
            t.and(c, b)
        })
    }),
    ("c?a:1 => ~c | a, one bit", |t, c, a, b| {
        t.is_true(b).then(|| {
            let c = t.not(c);
            t.or(c, a)
        })
    }),
    ("c?a:0 => c & a, one bit", |t, c, a, b| t.is_false(b).then(|| t.and(c, a))),
    ("c?c:b => c | b, one bit", |t, c, a, b| (c == a).then(|| t.or(c, b))),
    ("c?a:c => c & a, one bit", |t, c, a, b| (c == b).then(|| t.and(c, a))),
    ("c?a:~a => ~(c ^ a), one bit", |t, c, a, b| {
        (t.sort(a) == Sort::BOOL && t.are_complements(a, b)).then(|| {
            let xor = t.xor(c, a);
            t.not(xor)
        })
    }),
    ("c?(c?a:b):d => c?a:d", |t, c, a, b| {
        let Term::Ite(inner, then, _) = t.get(a) else { return None };
        (inner == c).then(|| t.ite(c, then, b))
    }),
    ("c?a:(c?b:d) => c?a:d", |t, c, a, b| {
        let Term::Ite(inner, _, otherwise) = t.get(b) else { return None };
        (inner == c).then(|| t.ite(c, a, otherwise))
    }),
    ("c?a:(d?a:b) => (c | d)?a:b", |t, c, a, b| {
        let Term::Ite(d, then, otherwise) = t.get(b) else { return None };
        (then == a).then(|| {
            let either = t.or(c, d);
            t.ite(either, a, otherwise)
        })
    }),
    ("c?(d?a:b):b => (c & d)?a:b", |t, c, a, b| {
        let Term::Ite(d, then, otherwise) = t.get(a) else { return None };
        (otherwise == b).then(|| {
            let both = t.and(c, d);
            t.ite(both, then, b)
        })
    }),
    ("(a == b)?a:b => b", |t, c, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Eq, c)?;
        ((x, y) == (a, b) || (x, y) == (b, a)).then_some(b)
    }),
];

/// `(a op k1) op k2 => a op (k1 op k2)`
pub(super) fn reassociate(t: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    t.as_const(b)?;
    let (inner, k) = t.operands_of(op, a)?;
    t.as_const(k)?;
    let sort = t.sort(a);
    let constant = t.make(Term::Binary(op, k, b), sort);
    Some(t.make(Term::Binary(op, inner, constant), sort))
}

/// That of `x` and `y` which is not the complement of `a`, if the other is.
fn other_than_complement(t: &Terms, a: TermId, x: TermId, y: TermId) -> Option<TermId> {
    if t.are_complements(a, x) { Some(y) } else { t.are_complements(a, y).then_some(x) }
}
