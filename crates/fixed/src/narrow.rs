// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions: which outcomes they may have (Definition 3), and what an outcome says of the numbers compared.

use clew_base::source::Span;
use clew_ir::syntax::{Body, CompareOp, ExprId, ExprKind, LocalId};

use crate::algebra::{Algebra, Limits, Seen, Verdict};
use crate::interval::Interval;
use crate::store::{Scalar, Store};
use crate::walk::{Walk, Walked};

impl<'a, A: Algebra> Walk<'a, A> {
    /// The outcomes that a condition may have.
    pub(crate) fn truth(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        id: ExprId,
    ) -> Walked<Verdict> {
        let expr = &body.exprs[id];
        match &expr.kind {
            ExprKind::Compare(op, a, b) => {
                if let Some((inner, negated)) = wrapped(body, *op, *a, *b) {
                    let verdict = self.truth(body, store, inner)?;
                    return Ok(if negated { verdict.negated() } else { verdict });
                }
                let (a, b) = (self.eval(body, store, *a)?, self.eval(body, store, *b)?);
                self.compared(*op, &a, &b, expr.span)
            }
            ExprKind::Cast(inner) if is_test(body, *inner) => self.truth(body, store, *inner),
            _ => {
                let value = self.eval(body, store, id)?;
                self.compared(CompareOp::Ne, &value, &Scalar::int(0), expr.span)
            }
        }
    }

    /// Keeps the runs in which the condition has these outcomes, as far as intervals can tell. False: there are none.
    pub(crate) fn narrow(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        id: ExprId,
        machine: bool,
        real: bool,
    ) -> Walked<bool> {
        match &body.exprs[id].kind {
            ExprKind::Compare(op, a, b) => {
                if let Some((inner, negated)) = wrapped(body, *op, *a, *b) {
                    return self.narrow(body, store, inner, machine != negated, real != negated);
                }
                let span = body.exprs[id].span;
                let outcome = |holds: bool| if holds { *op } else { op.negated() };
                let ops = (outcome(machine), outcome(real));
                let turned = (ops.0.swapped(), ops.1.swapped());
                Ok(self.narrow_one(body, store, (*a, *b), ops, span)?
                    && self.narrow_one(body, store, (*b, *a), turned, span)?)
            }
            ExprKind::Cast(inner) if is_test(body, *inner) => self.narrow(body, store, *inner, machine, real),
            _ => Ok(true),
        }
    }

    /// Narrows the one operand, if it is a register, by what is known of the other.
    fn narrow_one(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        (one, other): (ExprId, ExprId),
        (machine, real): (CompareOp, CompareOp),
        span: Span,
    ) -> Walked<bool> {
        let mine = self.eval(body, store, one)?;
        let other = self.eval(body, store, other)?;
        match (mine, other) {
            (Scalar::Int(low, high), Scalar::Int(c, d)) if machine == real => {
                let Some(range) = narrowed(machine, (low, high), (c, d)) else { return Ok(false) };
                if let Some(local) = register(body, one) {
                    let register = &mut store.frame().registers[local.0 as usize];
                    // A conversion on the way may have changed the number.
                    if matches!(register, Scalar::Int(a, b) if (*a, *b) == (low, high)) {
                        *register = Scalar::Int(range.0, range.1);
                    }
                }
                Ok(true)
            }
            (Scalar::Number(mine), other) => {
                let other = match other {
                    Scalar::Number(other) => other,
                    Scalar::Int(low, high) => self.integral(low, high, span)?,
                    _ => return Ok(true),
                };
                let seen = match self.alike(&mine, &other, span)? {
                    Some((_, other, _)) => self.algebra.seen(&other.value),
                    None => self.algebra.seen(&other.value),
                };
                Ok(self.narrow_all(store, mine.id, limits(seen, machine, real)))
            }
            _ => Ok(true),
        }
    }

    /// Narrows a number wherever this frame has it, and where it was loaded from.
    fn narrow_all(&mut self, store: &mut Store<A::Value>, id: u64, limits: Limits) -> bool {
        let mut cells = Vec::new();
        let frame = store.frame();
        for index in 0..frame.registers.len() {
            let Scalar::Number(number) = &mut frame.registers[index] else { continue };
            if number.id != id {
                continue;
            }
            let Some(value) = self.algebra.restrict(&number.value, limits) else { return false };
            number.value = value;
            cells.extend(frame.origins[index]);
        }
        for (object, offset) in cells {
            let Some(object) = store.object_mut(object) else { continue };
            if let Some(Scalar::Number(number)) = object.cells.get_mut(&offset)
                && number.id == id
            {
                let Some(value) = self.algebra.restrict(&number.value, limits) else { return false };
                number.value = value;
            }
        }
        true
    }
}

/// Whether an expression is a comparison: 0 or 1.
fn is_test(body: &Body, id: ExprId) -> bool {
    match &body.exprs[id].kind {
        ExprKind::Compare(..) => true,
        ExprKind::Cast(inner) => is_test(body, *inner),
        _ => false,
    }
}

/// A comparison of a test with 0 or 1 is the test, or its opposite.
fn wrapped(body: &Body, op: CompareOp, a: ExprId, b: ExprId) -> Option<(ExprId, bool)> {
    let ExprKind::Int(constant) = body.exprs[b].kind else { return None };
    if !is_test(body, a) {
        return None;
    }
    match (op, constant) {
        (CompareOp::Ne, 0) | (CompareOp::Eq, 1) => Some((a, false)),
        (CompareOp::Eq, 0) | (CompareOp::Ne, 1) => Some((a, true)),
        _ => None,
    }
}

/// The register behind an operand.
fn register(body: &Body, id: ExprId) -> Option<LocalId> {
    match &body.exprs[id].kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Cast(inner) => register(body, *inner),
        _ => None,
    }
}

fn limits(other: Seen, machine: CompareOp, real: CompareOp) -> Limits {
    Limits { machine: side(machine, other.machine), real: side(real, other.real) }
}

/// What a number lies in that compares so with one of the interval.
fn side(op: CompareOp, other: Interval) -> Interval {
    match op {
        CompareOp::Lt | CompareOp::Le => Interval { lo: f64::NEG_INFINITY, hi: other.hi },
        CompareOp::Gt | CompareOp::Ge => Interval { lo: other.lo, hi: f64::INFINITY },
        CompareOp::Eq => other,
        CompareOp::Ne => Interval::ALL,
    }
}

fn narrowed(op: CompareOp, (low, high): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let (low, high) = match op {
        CompareOp::Lt => (low, high.min(d.saturating_sub(1))),
        CompareOp::Le => (low, high.min(d)),
        CompareOp::Gt => (low.max(c.saturating_add(1)), high),
        CompareOp::Ge => (low.max(c), high),
        CompareOp::Eq => (low.max(c), high.min(d)),
        CompareOp::Ne => (low, high),
    };
    (low <= high).then_some((low, high))
}
