// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where progressions begin, and what assignments do to them.

use clew_base::float::Format;
use clew_ir::syntax::{BinaryOp, ExprId, ExprKind, LocalId, UnaryOp};

use crate::domain::clocked::Clocked;
use crate::domain::linear::precision;
use crate::domain::place::Cell;
use crate::domain::progression::{Progression, add, mul};
use crate::domain::value::Kind;
use crate::effort::progression::DEEPEST;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::state::{Definition, State};

/// At most `factor` times the magnitude of a register, and `plus`.
#[derive(Clone, Copy)]
struct Magnitude {
    of: Option<LocalId>,
    factor: f64,
    plus: f64,
}

/// Where a value goes: what it was there before is what it is compared with.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// To a register.
    Local(LocalId),
    /// To memory.
    Cell(Cell),
}

impl Goal {
    /// Whether a register has the value that is there now.
    fn is_in(self, state: &State, local: LocalId) -> bool {
        match self {
            Goal::Local(goal) => goal == local,
            Goal::Cell(cell) => state.definitions.get(local) == Some(&Definition::Cell(cell)),
        }
    }
}

impl<'p> Facts<'p> {
    /// The bound of a register: as it is known, or as its range says.
    pub(crate) fn base(&self, frame: &Frame<'p>, state: &State, local: LocalId) -> Option<Progression> {
        progression_of(state, local).or_else(|| {
            let ty = frame.body.locals[local].ty;
            let Kind::Float(f) = state.registers().get(local).filter(|v| !v.uninit)?.kind else {
                return None;
            };
            Progression::of_range(&f, self.types.float_format(ty)?, self.types.size_of(ty) as u32)
        })
    }

    /// What an operation gives whose exact result is at most this; none if that may be infinite.
    fn rounded(
        &self,
        frame: &Frame<'p>,
        state: &State,
        exact: Magnitude,
        format: Format,
    ) -> Option<Magnitude> {
        let (unit, tiny, largest) = precision(format)?;
        let rounding = (1.0 + unit).next_up();
        let rounded = Magnitude {
            of: exact.of,
            factor: mul(exact.factor, rounding),
            plus: add(mul(exact.plus, rounding), tiny),
        };
        (self.without_register(frame, state, rounded)?.plus < largest / 2.0).then_some(rounded)
    }

    fn sum(
        &self,
        frame: &Frame<'p>,
        state: &State,
        [x, y]: [Magnitude; 2],
        goal: Option<Goal>,
    ) -> Option<Magnitude> {
        if x.of == y.of || x.of.is_none() || y.of.is_none() {
            let (factor, plus) = (add(x.factor, y.factor), add(x.plus, y.plus));
            return Some(Magnitude { of: x.of.or(y.of), factor, plus });
        }
        // What was there before goes on; the other is a number.
        let is_goal = |m: Magnitude| m.of.zip(goal).is_some_and(|(local, goal)| goal.is_in(state, local));
        let (kept, other) = if is_goal(y) && !is_goal(x) { (y, x) } else { (x, y) };
        let other = self.without_register(frame, state, other)?;
        Some(Magnitude { plus: add(kept.plus, other.plus), ..kept })
    }

    /// The same as a number.
    fn without_register(&self, frame: &Frame<'p>, state: &State, m: Magnitude) -> Option<Magnitude> {
        let Some(local) = m.of else { return Some(m) };
        let most = self.base(frame, state, local)?.most(state.memory.clock()?);
        let of_range = state.registers().get(local).and_then(|value| match &value.kind {
            Kind::Float(f) if !value.uninit && !f.may_be_nan() => Some(f.lo()?.abs().max(f.hi()?.abs())),
            _ => None,
        });
        let most = of_range.map_or(most, |range| range.min(most));
        let plus = add(mul(m.factor, most), m.plus);
        plus.is_finite().then_some(Magnitude { of: None, factor: 0.0, plus })
    }
}

impl<'p> Evaluator<'p> {
    /// What is known of a float expression against the clock.
    pub(crate) fn progression(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        goal: Option<Goal>,
    ) -> Option<Progression> {
        if let ExprKind::Local(local) = frame.body.exprs[expr].kind {
            return progression_of(state, local);
        }
        // Without a clock there is no bound.
        if self.facts.options.ticks.is_none() || !self.uses(Domain::Clock) || !self.uses(Domain::Progressions)
        {
            return None;
        }
        if !follows(frame, state, expr, goal, DEEPEST) {
            return None;
        }
        let format = self.facts.types.float_format(frame.body.exprs[expr].ty)?;
        let Magnitude { of, factor, plus } = self.magnitude(frame, state, expr, goal, DEEPEST)?;
        let base = self.facts.base(frame, state, of?)?;
        let bytes = self.facts.types.size_of(frame.body.exprs[expr].ty) as u32;
        let next = Progression { format, bytes, ..base.go_on(factor, plus) };
        next.most(state.memory.clock()?).is_finite().then_some(next)
    }

    fn magnitude(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
        goal: Option<Goal>,
        depth: u32,
    ) -> Option<Magnitude> {
        let node = &frame.body.exprs[expr];
        let format = self.facts.types.float_format(node.ty)?;
        if !follows(frame, state, expr, goal, depth) {
            let Kind::Float(f) = self.eval(frame, state, expr).kind else { return None };
            let plus = Progression::of_range(&f, format, 0)?.start;
            return Some(Magnitude { of: None, factor: 0.0, plus });
        }
        let exact = match &node.kind {
            ExprKind::Local(local) => {
                self.facts.base(frame, state, *local)?;
                return Some(Magnitude { of: Some(*local), factor: 1.0, plus: 0.0 });
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                return self.magnitude(frame, state, *inner, goal, depth - 1);
            }
            ExprKind::Binary(op, left, right) => {
                let x = self.magnitude(frame, state, *left, goal, depth - 1)?;
                if *op == BinaryOp::Div {
                    let Kind::Float(by) = self.eval(frame, state, *right).kind else { return None };
                    let least = by.lo().filter(|lo| *lo > 0.0).or_else(|| Some(-by.hi()?))?;
                    let divides = !by.may_be_nan() && least > 0.0;
                    let quotient = divides.then(|| scaled(x, (1.0 / least).next_up()))?;
                    return self.facts.rounded(frame, state, quotient, format);
                }
                let y = self.magnitude(frame, state, *right, goal, depth - 1)?;
                match op {
                    BinaryOp::Add | BinaryOp::Sub => self.facts.sum(frame, state, [x, y], goal)?,
                    BinaryOp::Mul if x.of.is_none() => scaled(y, x.plus),
                    BinaryOp::Mul => scaled(x, self.facts.without_register(frame, state, y)?.plus),
                    _ => return None,
                }
            }
            ExprKind::Cast(inner) => self.magnitude(frame, state, *inner, goal, depth - 1)?,
            _ => return None,
        };
        self.facts.rounded(frame, state, exact, format)
    }
}

/// Whether an expression reads a register that is followed already, or what was there before where it goes.
fn follows(frame: &Frame<'_>, state: &State, expr: ExprId, goal: Option<Goal>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let inner = |e: ExprId| follows(frame, state, e, goal, depth - 1);
    match &frame.body.exprs[expr].kind {
        ExprKind::Local(local) => {
            progression_of(state, *local).is_some() || goal.is_some_and(|goal| goal.is_in(state, *local))
        }
        ExprKind::Unary(_, e) | ExprKind::Cast(e) => inner(*e),
        ExprKind::Binary(_, left, right) => inner(*left) || inner(*right),
        _ => false,
    }
}

fn scaled(m: Magnitude, by: f64) -> Magnitude {
    Magnitude { of: m.of, factor: mul(m.factor, by), plus: mul(m.plus, by) }
}

fn progression_of(state: &State, local: LocalId) -> Option<Progression> {
    match state.clocked.get(local)? {
        Clocked::Progression(progression) => Some(*progression),
        Clocked::Counter(_) => None,
    }
}
