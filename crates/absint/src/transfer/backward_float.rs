// SPDX-License-Identifier: MIT OR Apache-2.0
//! Float operations undone: what the result of one says of its operands (paper 004, 6.1.3, backwards).
//!
//! Rounding is monotone, so that a result of at most `h` comes from an exact value below the float after `h`. From there
//! on the operation is one of reals, whose inverse is computed outward. A result that is a number comes from numbers;
//! a finite one from finite numbers, but for divisors. It is what makes `x * x < c` a bound of `x`, and bounds the result
//! of `sqrt`, whose model says that its square is the argument; for the count see `octagon`.
//!
//! Measured: 4 programs (12 obligations) of the dev lists are lost without it, nothing in 10,000 lines of `bench synchronous`.

use clew_base::float::Format;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BinaryOp, ExprId};
use clew_ir::types::Class;

use crate::domain::float::{self, Float, above, below};
use crate::domain::int::Int;
use crate::domain::outward::{add_down, add_up};
use crate::domain::range::Range;
use crate::domain::value::Kind;
use crate::engine::facts::Frame;
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::state::State;

/// The exact values that round to a number between two.
fn before_rounding(result: &Float, format: Format) -> Option<Range> {
    if result.may_be_nan() {
        return None;
    }
    let (lo, hi) = (result.lo()?, result.hi()?);
    // An infinity may be a sum that overflowed.
    let largest = if format == Format::F32 { f64::from(f32::MAX) } else { f64::MAX };
    Some(Range { lo: below(lo, format).min(largest), hi: above(hi, format).max(-largest) })
}

fn is_finite(range: Range) -> bool {
    range.lo.is_finite() && range.hi.is_finite()
}

/// Real quotients; the divisors are finite and on one side of zero.
fn quotient(a: Range, b: Range) -> Range {
    let corners = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
    let lo = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Range { lo: lo.next_down(), hi: hi.next_up() }
}

fn excludes_zero(range: Range) -> bool {
    range.lo > 0.0 || range.hi < 0.0
}

/// The two operands of an operation whose exact result is in a range: what they are at most known to be after it.
fn operands(op: BinaryOp, exact: Range, a: Range, b: Range) -> (Option<Range>, Option<Range>) {
    match op {
        BinaryOp::Add => (
            Some(Range { lo: add_down(exact.lo, -b.hi), hi: add_up(exact.hi, -b.lo) }),
            Some(Range { lo: add_down(exact.lo, -a.hi), hi: add_up(exact.hi, -a.lo) }),
        ),
        BinaryOp::Sub => (
            Some(Range { lo: add_down(exact.lo, b.lo), hi: add_up(exact.hi, b.hi) }),
            Some(Range { lo: add_down(a.lo, -exact.hi), hi: add_up(a.hi, -exact.lo) }),
        ),
        BinaryOp::Mul => {
            let by =
                |other: Range| (excludes_zero(other) && is_finite(other)).then(|| quotient(exact, other));
            (by(b), by(a))
        }
        BinaryOp::Div => {
            // Over zero anything may become infinite.
            let dividend = is_finite(b) && (is_finite(exact) || excludes_zero(b));
            let divisor = is_finite(exact) && excludes_zero(exact) && is_finite(a);
            (dividend.then(|| exact.mul(b)), divisor.then(|| quotient(a, exact)))
        }
        _ => (None, None),
    }
}

/// What a number is whose square is in a range.
fn root(square: Range) -> Option<Float> {
    let hi = if square.hi.is_finite() { square.hi.max(0.0).sqrt().next_up() } else { return None };
    let lo = square.lo.max(0.0).sqrt().next_down().max(0.0);
    let side = Float::range(lo, hi);
    Some(side.join(&side.neg()))
}

impl<'p> Transfer<'p> {
    /// The result of a float operation is in a smaller set. False: that cannot be.
    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    pub(crate) fn push_float_binary(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        result: &Float,
        format: Format,
        depth: u32,
    ) -> bool {
        let (Kind::Float(a), Kind::Float(b)) =
            (self.eval.eval(frame, state, left).kind, self.eval.eval(frame, state, right).kind)
        else {
            return true;
        };
        if !matches!(format, Format::F32 | Format::F64) || !self.eval.uses(Domain::Undo) {
            return true;
        }
        let Some(exact) = before_rounding(result, format) else { return true };
        let (Some(mut a), Some(mut b)) = (a.without_nan(), b.without_nan()) else { return false };
        if is_finite(exact) {
            let finite = Float::finite(format);
            let Some(x) = a.meet(&finite) else { return false };
            a = x;
            if op != BinaryOp::Div {
                let Some(y) = b.meet(&finite) else { return false };
                b = y;
            }
        }
        let same = op == BinaryOp::Mul && self.eval.facts.same_float(frame, state, left, right);
        let (x, y) = match same.then(|| root(exact)).flatten() {
            Some(root) => (Some(root), Some(root)),
            None => match (hull(&a), hull(&b)) {
                (Some(p), Some(q)) => {
                    let (x, y) = operands(op, exact, p, q);
                    (x.and_then(as_float), y.and_then(as_float))
                }
                _ => (None, None),
            },
        };
        self.push_float(frame, state, left, &a, x, depth)
            && self.push_float(frame, state, right, &b, y, depth)
    }

    fn push_float(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        old: &Float,
        new: Option<Float>,
        depth: u32,
    ) -> bool {
        match new.map_or(Some(*old), |new| old.meet(&new)) {
            None => false,
            Some(kept) => self.push(frame, state, expr, &Kind::Float(kept), depth - 1),
        }
    }

    /// A conversion from or to a float came out in a smaller set. False: that cannot be.
    pub(crate) fn push_float_cast(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        inner: ExprId,
        to: Class,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        if !self.eval.uses(Domain::Undo) {
            return true;
        }
        let before = self.eval.eval(frame, state, inner).kind;
        match (self.eval.facts.types.class(frame.body.exprs[inner].ty), to, kind, before) {
            (
                Class::Float(_),
                Class::Float(format @ (Format::F32 | Format::F64)),
                Kind::Float(f),
                Kind::Float(before),
            ) => {
                let Some(exact) = before_rounding(f, format) else { return true };
                let Some(number) = before.without_nan() else { return false };
                self.push_float(frame, state, inner, &number, as_float(exact), depth)
            }
            (Class::Int(_), Class::Float(format), Kind::Float(f), Kind::Number(before)) => {
                let exact =
                    before.lo() >= -(1 << format.precision()) && before.hi() <= 1 << format.precision();
                let kept = integers(f, format, exact).and_then(|n| before.meet(&n));
                match kept {
                    None => integers(f, format, exact).is_none(),
                    Some(n) if n == before => true,
                    Some(n) => self.push(frame, state, inner, &Kind::Number(n), depth - 1),
                }
            }
            (Class::Float(_), Class::Int(ty), Kind::Number(n), Kind::Float(before)) if ty.bits > 1 => {
                // What does not fit may have become any integer.
                if !self.eval.prunes(CheckKind::FloatToInt)
                    && !float::float_to_int_raises(&before, ty).is_false()
                {
                    return true;
                }
                let (Some(number), Some(truncated)) = (before.without_nan(), truncated(n)) else {
                    return true;
                };
                self.push_float(frame, state, inner, &number, as_float(truncated), depth)
            }
            _ => true,
        }
    }
}

fn hull(float: &Float) -> Option<Range> {
    Some(Range { lo: float.lo()?, hi: float.hi()? })
}

fn as_float(range: Range) -> Option<Float> {
    (range.lo <= range.hi).then(|| Float::range(range.lo, range.hi))
}

/// The integers that become such floats.
fn integers(f: &Float, format: Format, exact: bool) -> Option<Int> {
    let range = match format {
        _ if exact => hull(f)?,
        Format::F32 | Format::F64 => before_rounding(f, format)?,
        _ => return None,
    };
    if f.may_be_nan() || !is_finite(range) || range.lo.abs().max(range.hi.abs()) > 1e30 {
        return None;
    }
    let (lo, hi) = (range.lo.ceil() as i128, range.hi.floor() as i128);
    (lo <= hi).then(|| Int::range(lo, hi))
}

/// The reals that are such integers without their fractions.
fn truncated(n: &Int) -> Option<Range> {
    if n.lo().unsigned_abs().max(n.hi().unsigned_abs()) > 1 << 52 {
        return None;
    }
    let lo = if n.lo() > 0 { n.lo() } else { n.lo() - 1 } as f64;
    let hi = if n.hi() < 0 { n.hi() } else { n.hi() + 1 } as f64;
    Some(Range { lo, hi })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            self.0 >> 33
        }
        /// Small numbers, odd fractions, and now and then any float.
        fn float(&mut self) -> f32 {
            match self.next() % 4 {
                0 => (self.next() % 21) as f32 - 10.0,
                1 => f32::from_bits(self.next() as u32),
                _ => ((self.next() % 20001) as f32 - 10000.0) / 7.0,
            }
        }
    }

    fn around(source: &mut Random, x: f32) -> Float {
        let (a, b) = (source.float().abs(), source.float().abs());
        let spread = |d: f32| if d.is_finite() { f64::from(d) } else { 1.0 };
        Float::range(f64::from(x) - spread(a), f64::from(x) + spread(b))
    }

    #[test]
    fn operands_stay_among_what_the_result_allows() {
        let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];
        for seed in 0..100_000 {
            let mut source = Random(seed);
            let (a, b) = (source.float(), source.float());
            let op = ops[(source.next() % 4) as usize];
            let r = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                _ => a / b,
            };
            if !(a.is_finite() && b.is_finite() && r.is_finite()) {
                continue;
            }
            let (x, y, result) = (around(&mut source, a), around(&mut source, b), around(&mut source, r));
            let (Some(x), Some(y), Some(exact)) = (hull(&x), hull(&y), before_rounding(&result, Format::F32))
            else {
                continue;
            };
            let (left, right) = operands(op, exact, x, y);
            let within = |range: Option<Range>, v: f32| {
                range.is_none_or(|r| r.lo <= f64::from(v) && f64::from(v) <= r.hi)
            };
            assert!(within(left, a), "{a:e} {op:?} {b:e} = {r:e}: {left:?}");
            assert!(within(right, b), "{a:e} {op:?} {b:e} = {r:e}: {right:?}");
            if let Some(exact) =
                before_rounding(&Float::range(f64::from(a * a), f64::from(a * a)), Format::F32)
                && let Some(root) = root(exact)
            {
                assert!(root.contains_bits(u128::from(a.to_bits()), Format::F32), "{a:e}");
            }
        }
    }

    #[test]
    fn conversions_are_undone() {
        for seed in 0..100_000 {
            let mut source = Random(seed);
            let n = source.next() as i128 - (1 << 30);
            let float = Float::range(f64::from(n as f32), f64::from(n as f32));
            assert!(
                integers(&float, Format::F32, n.abs() <= 1 << 24).is_some_and(|set| set.contains(n)),
                "{n}"
            );
            let x = f64::from(source.float());
            if x.abs() < 1e9 {
                let whole = Int::constant(x as i128);
                assert!(truncated(&whole).is_some_and(|r| r.lo <= x && x <= r.hi), "{x}");
            }
        }
    }
}
