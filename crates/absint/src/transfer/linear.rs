// SPDX-License-Identifier: MIT OR Apache-2.0
//! Symbolic linear forms (paper 004, 6.3): `x - 0.2 * x` is `0.8 * x` and not a difference of two ranges.
//!
//! A float expression over finite values is rewritten as a sum of registers with interval coefficients and an interval
//! that absorbs every rounding on the way: `r(a + b)` is `a + b` with an error of at most `u * |a + b|` and half the
//! smallest subnormal. An integer expression is rewritten only where no step can wrap; a difference of two registers
//! is then bounded by what is remembered of them.
//!
//! Measured: 6 programs (8 obligations) of the dev lists are lost without it, nothing in 10,000 lines of `bench synchronous`.

use clew_ir::syntax::{BinaryOp, ExprId, ExprKind, LocalId, UnaryOp};
use clew_ir::types::Class;

use crate::domain::float::{Float, round_to};
use crate::domain::int::Int;
use crate::domain::linear::{Form, IntForm, Sum, finite, precision, register_range};
use crate::domain::product::Product;
use crate::domain::range::Range;
use crate::domain::value::{Kind, Value};
use crate::effort::linear::{DEEPEST, MOST_TERMS};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::state::{Definition, State};
use crate::transfer::eval::register_int;
use crate::transfer::sum::range_of_sum;

/// The range of a float sum by its linear form; none where that says nothing new.
pub(crate) fn float_range<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<Float> {
    let node = &frame.body.exprs[expr];
    let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) = node.kind else { return None };
    if !a.uses(Domain::Linear) {
        return None;
    }
    let format = a.facts.types.float_format(node.ty)?;
    // Rounding is monotone: the exact sum is rounded, rather than an error added to it.
    let exact = exact_form(a, frame, state, expr, false, DEEPEST)?;
    let range = a.range_of_form(frame, state, &exact)?;
    let rounded = Range { lo: round_to(range.lo, format), hi: round_to(range.hi, format) };
    rounded.is_finite().then(|| Float::range(rounded.lo, rounded.hi))
}

/// A float expression as a sum of the registers in it, rounding included, where all of it surely is finite.
pub(crate) fn float_terms<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<Form> {
    float_form(a, frame, state, expr, false, DEEPEST)
}

/// A float expression as a sum, registers that are defined by sums among its terms taken apart.
pub(crate) fn float_sum<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<Form> {
    float_form(a, frame, state, expr, true, DEEPEST)
}

/// `apart`: registers that are known to equal an expression are taken apart, too.
fn float_form<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
    apart: bool,
    depth: u32,
) -> Option<Form> {
    let exact = exact_form(a, frame, state, expr, apart, depth)?;
    if !rounds(a, frame, expr) {
        return Some(exact);
    }
    let (unit, tiny, largest) = precision(a.facts.types.float_format(frame.body.exprs[expr].ty)?)?;
    let magnitude = exact.range(state)?.magnitude();
    let error = (magnitude * unit * (1.0 + 4.0 * f64::EPSILON)).next_up() + tiny;
    // Anything near the largest value may round to infinity.
    if magnitude + error >= largest / 2.0 {
        return None;
    }
    Some(exact.add(Form::constant(Range { lo: -error, hi: error })))
}

/// Whether the operation at the root of an expression rounds, or all of it is one register or number.
fn rounds(a: &Evaluator<'_>, frame: &Frame<'_>, expr: ExprId) -> bool {
    let node = &frame.body.exprs[expr];
    match node.kind {
        ExprKind::Binary(..) => true,
        ExprKind::Cast(inner) => {
            let format = |expr: ExprId| a.facts.types.float_format(frame.body.exprs[expr].ty);
            match (format(inner), format(expr)) {
                (Some(from), Some(to)) => precision(from).is_some() && to.precision() < from.precision(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The sum that is rounded at the root of an expression.
fn exact_form<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
    apart: bool,
    depth: u32,
) -> Option<Form> {
    let node = &frame.body.exprs[expr];
    let format = a.facts.types.float_format(node.ty).filter(|_| depth > 0)?;
    precision(format)?;
    let form = match &node.kind {
        ExprKind::Local(local) => return float_local(a, frame, state, *local, apart, depth),
        ExprKind::Float { bits, .. } => {
            let value = clew_base::float::Float::from_bits(format, *bits).to_f64();
            return value.is_finite().then(|| Form::constant(Range::point(value)));
        }
        ExprKind::Unary(UnaryOp::Neg, inner) => {
            let form = float_form(a, frame, state, *inner, apart, depth - 1)?;
            return Some(form.neg());
        }
        ExprKind::Binary(op, left, right) => {
            let x = float_form(a, frame, state, *left, apart, depth - 1)?;
            let y = float_form(a, frame, state, *right, apart, depth - 1)?;
            match op {
                BinaryOp::Add => x.add(y),
                BinaryOp::Sub => x.add(y.neg()),
                BinaryOp::Mul if x.terms.is_empty() => y.scale(x.rest),
                BinaryOp::Mul if y.terms.is_empty() => x.scale(y.rest),
                BinaryOp::Mul => {
                    let (of_x, of_y) = (x.range(state)?, y.range(state)?);
                    // The one that is known better is the coefficient.
                    if of_x.relative_width() < of_y.relative_width() { y.scale(of_x) } else { x.scale(of_y) }
                }
                BinaryOp::Div => {
                    let by = y.range(state)?.inverse()?;
                    x.scale(by)
                }
                _ => return None,
            }
        }
        ExprKind::Cast(inner) => match a.facts.types.float_format(frame.body.exprs[*inner].ty) {
            Some(from) if precision(from).is_some() => float_form(a, frame, state, *inner, apart, depth - 1)?,
            _ => {
                let Kind::Float(value) = a.eval(frame, state, expr).kind else { return None };
                return finite(&value).map(Form::constant);
            }
        },
        _ => return None,
    };
    (form.terms.len() <= MOST_TERMS).then_some(form)
}

fn float_local<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    local: LocalId,
    apart: bool,
    depth: u32,
) -> Option<Form> {
    register_range(state, local)?;
    if apart
        && let Some(Definition::Expr(expr)) = state.definitions.get(local)
        && let Some(form) = float_form(a, frame, state, *expr, apart, depth - 1)
        && !form.terms.is_empty()
    {
        return Some(form);
    }
    Some(Form::of(local))
}

/// The range of an integer sum by its linear form; none where that says nothing new.
pub(crate) fn int_range<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<Int> {
    let node = &frame.body.exprs[expr];
    let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) = node.kind else { return None };
    if !a.uses(Domain::Linear) {
        return None;
    }
    let form = int_form(a, frame, state, expr, DEEPEST)?;
    range_of_sum(state, &form)
}

/// An integer expression as `scale * register + plus`, where it surely is that.
pub(crate) fn one_term<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<(LocalId, i128, i128)> {
    let (terms, plus) = int_form(a, frame, state, expr, DEEPEST)?;
    match terms[..] {
        [(local, scale)] => Some((local, scale, plus)),
        _ => None,
    }
}

/// An integer expression as a sum, where it surely is one mathematically.
pub(crate) fn int_sum<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
) -> Option<IntForm> {
    int_form(a, frame, state, expr, DEEPEST)
}

fn int_form<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    expr: ExprId,
    depth: u32,
) -> Option<IntForm> {
    let node = &frame.body.exprs[expr];
    let Class::Int(ty) = a.facts.types.class(node.ty) else { return None };
    if depth == 0 || ty.bits >= 128 {
        return None;
    }
    let form = match &node.kind {
        ExprKind::Int(value) => return Some((Vec::new(), *value)),
        ExprKind::Local(local) => {
            register_int(state, *local)?;
            return Some((vec![(*local, 1)], 0));
        }
        ExprKind::Cast(inner) => {
            let form = int_form(a, frame, state, *inner, depth - 1)?;
            let range = sum_of(a, state, &form)?;
            return range.fits(ty).is_true().then_some(form);
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let (mut terms, mut rest) = int_form(a, frame, state, *left, depth - 1)?;
            let (other, constant) = int_form(a, frame, state, *right, depth - 1)?;
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            rest = rest.checked_add(sign * constant)?;
            for (local, coefficient) in other {
                match terms.iter_mut().find(|(l, _)| *l == local) {
                    Some((_, mine)) => *mine += sign * coefficient,
                    None => terms.push((local, sign * coefficient)),
                }
            }
            terms.retain(|(_, c)| *c != 0);
            (terms, rest)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            let x = int_form(a, frame, state, *left, depth - 1)?;
            let y = int_form(a, frame, state, *right, depth - 1)?;
            let (mut form, by) = match (x.0.is_empty(), y.0.is_empty()) {
                (true, _) => (y, x.1),
                (_, true) => (x, y.1),
                _ => match (sum_of(a, state, &x)?.as_constant(), sum_of(a, state, &y)?.as_constant()) {
                    (_, Some(by)) => (x, by),
                    (Some(by), None) => (y, by),
                    (None, None) => return None,
                },
            };
            if by.abs() > 1 << 32 {
                return None;
            }
            for (_, coefficient) in &mut form.0 {
                *coefficient = coefficient.checked_mul(by)?;
            }
            form.1 = form.1.checked_mul(by)?;
            form
        }
        _ => return None,
    };
    if form.0.len() > MOST_TERMS || form.0.iter().any(|(_, c)| c.abs() > 1 << 62) || form.1.abs() > 1 << 100 {
        return None;
    }
    let exact = a.context.prune_arithmetic && frame.unwrapped.contains(&expr);
    (exact || sum_of(a, state, &form)?.fits(ty).is_true()).then_some(form)
}

fn sum_of(_a: &Evaluator<'_>, state: &State, form: &IntForm) -> Option<Int> {
    range_of_sum(state, form)
}

impl<'p> Facts<'p> {
    /// An integer expression modulo `2^bits`, as a sum of the registers that may be terms. Others stand for their value, if they have
    /// one, or for what they are known to equal.
    pub(crate) fn modular_sum(
        &self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        bits: u32,
        is_term: &dyn Fn(LocalId) -> bool,
        depth: u32,
    ) -> Option<Sum> {
        let node = &frame.body.exprs[expr];
        // Sums of wider integers are the same modulo the width; narrower ones are not.
        let wide = self.types.int_type(node.ty).is_some_and(|ty| u32::from(ty.bits) >= bits);
        if depth == 0 || !wide {
            return None;
        }
        let inner = |expr: ExprId| self.modular_sum(frame, state, expr, bits, is_term, depth - 1);
        match node.kind {
            ExprKind::Int(value) => Some(Sum::constant(value as u64, bits)),
            ExprKind::Local(local) => {
                // What was never written need not be the same twice.
                let value = state.registers().get(local).filter(|value| !value.uninit)?;
                if is_term(local) {
                    return Some(Sum::of(local, bits));
                }
                if let Some(value) = value.kind.as_constant() {
                    return Some(Sum::constant(value as u64, bits));
                }
                match state.definitions.get(local) {
                    Some(Definition::Expr(expr)) => inner(*expr),
                    _ => None,
                }
            }
            ExprKind::Cast(from) => inner(from),
            ExprKind::Unary(UnaryOp::Neg, x) => Some(Sum::constant(0, bits).plus(u64::MAX, &inner(x)?)),
            ExprKind::Binary(BinaryOp::Add, x, y) => Some(inner(x)?.plus(1, &inner(y)?)),
            ExprKind::Binary(BinaryOp::Sub, x, y) => Some(inner(x)?.plus(u64::MAX, &inner(y)?)),
            ExprKind::Binary(BinaryOp::Mul, x, y) => {
                let (x, y) = (inner(x)?, inner(y)?);
                match (x.as_constant(), y.as_constant()) {
                    (Some(times), _) => Some(Sum::constant(0, bits).plus(times, &y)),
                    (_, Some(times)) => Some(Sum::constant(0, bits).plus(times, &x)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The same modulo 256, of any registers: what every integer but a truth value has.
    pub(crate) fn byte_sum(&self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<Sum> {
        self.modular_sum(frame, state, expr, 8, &|_| true, DEEPEST)
    }

    /// An integer with what relational domains say of the sum that it is.
    pub(crate) fn reduced_by_domains(
        &self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        value: Value,
    ) -> Value {
        let sum = Product::FOLLOWS_SUMS.then(|| self.byte_sum(frame, state, expr)).flatten();
        match (&value.kind, sum.and_then(|sum| state.domains.value(&sum))) {
            (Kind::Number(n), Some(said)) => match n.meet(&said) {
                Some(kept) => Value { kind: Kind::Number(kept), ..value },
                None => value,
            },
            _ => value,
        }
    }
}
