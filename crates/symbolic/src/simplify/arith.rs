// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of sums, products, quotients and remainders.

use super::Binary;
use super::logic::reassociate;
use crate::term::{BinaryOp, TermId, Terms};

pub(super) const ADD: &[Binary] = &[
    ("a + 0 => a", |t, a, b| (t.as_const(b)? == 0).then_some(a)),
    ("(a + k1) + k2 => a + (k1 + k2)", |t, a, b| reassociate(t, BinaryOp::Add, a, b)),
    ("(a + k) + b => (a + b) + k", |t, a, b| {
        let (a, k) = t.operands_of(BinaryOp::Add, a)?;
        t.as_const(k)?;
        let sum = t.add(a, b);
        Some(t.add(sum, k))
    }),
    ("(k1 - a) + k2 => (k1 + k2) - a", |t, a, b| {
        let (k, a) = t.operands_of(BinaryOp::Sub, a)?;
        t.as_const(k).and(t.as_const(b))?;
        let sum = t.add(k, b);
        Some(t.sub(sum, a))
    }),
    ("(a - b) + b => a", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Sub, a)?;
        (y == b).then_some(x)
    }),
    ("a + (0 - b) => a - b", |t, a, b| {
        let (zero, b) = t.operands_of(BinaryOp::Sub, b)?;
        (t.as_const(zero)? == 0).then(|| t.sub(a, b))
    }),
    ("a + ~a => ones", |t, a, b| t.are_complements(a, b).then(|| t.constant(t.width(a), u128::MAX))),
];

pub(super) const SUB: &[Binary] = &[
    ("a - a => 0", |t, a, b| (a == b).then(|| t.constant(t.width(a), 0))),
    ("a - k => a + -k", |t, a, b| {
        let k = t.as_const(b)?;
        let negative = t.constant(t.width(b), k.wrapping_neg());
        Some(t.add(a, negative))
    }),
    ("(a + b) - b => a", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Add, a)?;
        if y == b { Some(x) } else { (x == b).then_some(y) }
    }),
    ("a - (a - b) => b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Sub, b)?;
        (x == a).then_some(y)
    }),
    ("(a - b) - a => 0 - b", |t, a, b| {
        let (x, y) = t.operands_of(BinaryOp::Sub, a)?;
        (x == b).then(|| t.neg(y))
    }),
    ("a - (0 - b) => a + b", |t, a, b| {
        let (zero, b) = t.operands_of(BinaryOp::Sub, b)?;
        (t.as_const(zero)? == 0).then(|| t.add(a, b))
    }),
    ("(a + k) - b => (a - b) + k", |t, a, b| {
        let (a, k) = t.operands_of(BinaryOp::Add, a)?;
        t.as_const(k)?;
        let difference = t.sub(a, b);
        Some(t.add(difference, k))
    }),
    ("a - (b + k) => (a - b) + -k", |t, a, b| {
        let (b, k) = t.with_constant(BinaryOp::Add, b)?;
        let difference = t.sub(a, b);
        let negative = t.constant(t.width(b), k.wrapping_neg());
        Some(t.add(difference, negative))
    }),
    ("(a + b) - (a + c) => b - c", |t, a, b| {
        let ((x, y), (u, v)) = (t.operands_of(BinaryOp::Add, a)?, t.operands_of(BinaryOp::Add, b)?);
        let (x, u) = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)]
            .into_iter()
            .find(|(x, _, u, _)| x == u)
            .map(|(_, y, _, v)| (y, v))?;
        Some(t.sub(x, u))
    }),
];

pub(super) const MUL: &[Binary] = &[
    ("a * 1 => a", |t, a, b| (t.as_const(b)? == 1).then_some(a)),
    ("a * -1 => 0 - a", |t, a, b| t.is_ones(b).then(|| t.neg(a))),
    ("(a * k1) * k2 => a * (k1 * k2)", |t, a, b| reassociate(t, BinaryOp::Mul, a, b)),
    ("(a + k1) * k2 => a * k2 + k1 * k2", |t, a, b| {
        t.as_const(b)?;
        let (a, k) = t.operands_of(BinaryOp::Add, a)?;
        t.as_const(k)?;
        let (scaled, constant) = (t.mul(a, b), t.mul(k, b));
        Some(t.add(scaled, constant))
    }),
    ("a * 2^n => a << n", |t, a, b| {
        let shift = power_of_two(t, b)?;
        let shift = t.constant(t.width(a), shift);
        Some(t.shl(a, shift))
    }),
];

pub(super) const UDIV: &[Binary] = &[
    ("a / 1 => a", |t, a, b| (t.as_const(b)? == 1).then_some(a)),
    ("a / 2^n => a >> n", |t, a, b| {
        let shift = power_of_two(t, b)?;
        let shift = t.constant(t.width(a), shift);
        Some(t.shr(a, shift, false))
    }),
];

pub(super) const UREM: &[Binary] = &[
    ("a % 2^n => a & (2^n - 1)", |t, a, b| {
        power_of_two(t, b)?;
        let mask = t.constant(t.width(b), t.as_const(b)? - 1);
        Some(t.and(a, mask))
    }),
    ("a % b => a, where a < b", |t, a, b| (t.facts(a).greatest < t.facts(b).least).then_some(a)),
];

pub(super) const SDIV: &[Binary] = &[
    ("a / 1 => a, signed", |t, a, b| (t.as_const(b)? == 1 && t.width(a) > 1).then_some(a)),
    ("a / -1 => 0 - a, signed", |t, a, b| t.is_ones(b).then(|| t.neg(a))),
    ("a / b => unsigned, where neither is negative and b is not zero", |t, a, b| {
        let plain = t.facts(a).is_nonnegative() && t.facts(b).is_nonnegative() && t.facts(b).least > 0;
        plain.then(|| t.div(a, b, false))
    }),
    ("a / 2^n => (a + (a < 0 ? 2^n - 1 : 0)) >> n, signed", |t, a, b| {
        let width = t.width(a);
        let shift = power_of_two(t, b).filter(|&shift| shift + 1 < u128::from(width))?;
        let zero = t.constant(width, 0);
        let negative = t.lt(a, zero, true);
        let correction = t.constant(width, t.as_const(b)? - 1);
        let correction = t.ite(negative, correction, zero);
        let (corrected, shift) = (t.add(a, correction), t.constant(width, shift));
        Some(t.shr(corrected, shift, true))
    }),
];

pub(super) const SREM: &[Binary] = &[
    ("a % 1 => 0, signed", |t, a, b| {
        (t.as_const(b)? == 1 || t.is_ones(b)).then(|| t.constant(t.width(a), 0))
    }),
    ("a % b => unsigned, where neither is negative", |t, a, b| {
        let plain = t.facts(a).is_nonnegative() && t.facts(b).is_nonnegative();
        plain.then(|| t.rem(a, b, false))
    }),
    ("a % 2^n => a - ((a / 2^n) << n), signed", |t, a, b| {
        let width = t.width(a);
        let shift = power_of_two(t, b).filter(|&shift| shift + 1 < u128::from(width))?;
        let (quotient, shift) = (t.div(a, b, true), t.constant(width, shift));
        let product = t.shl(quotient, shift);
        Some(t.sub(a, product))
    }),
];

/// `n`, if the term is the constant 2^n.
fn power_of_two(t: &Terms, term: TermId) -> Option<u128> {
    let value = t.as_const(term)?;
    value.is_power_of_two().then(|| u128::from(value.trailing_zeros()))
}
