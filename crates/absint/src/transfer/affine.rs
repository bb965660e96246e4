// SPDX-License-Identifier: MIT OR Apache-2.0
//! What statements do to spaces, and what spaces say of tests.

use std::sync::Arc;

use clew_ir::syntax::{BinaryOp, CompareOp, ExprId, ExprKind, LocalId, UnaryOp};

use crate::domain::Tri;
use crate::domain::affine::{Form, Space, Spaces};
use crate::engine::facts::{Facts, Frame};
use crate::program::comparison::Comparison;
use crate::state::{Definition, State};

/// Expressions are followed so deep.
const DEEPEST: u32 = 8;

impl<'p> Facts<'p> {
    /// The spaces after an assignment to a register, seen from before it.
    pub(crate) fn spaces_after(
        &self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        expr: ExprId,
    ) -> Option<Spaces> {
        let (registers, bits) = frame.counters.0.iter().find(|(registers, _)| registers.contains(&local))?;
        let mut space = match state.spaces.of(registers) {
            Some(space) => Space::clone(space),
            None => Space::whole(registers.clone(), *bits),
        };
        let form = self.affine_form(frame, state, &space, expr, DEEPEST);
        space.assign(local, form.as_ref());
        let mut spaces = state.spaces.clone();
        spaces.put(space);
        Some(spaces)
    }

    /// An integer expression modulo the width of a space, as a sum of its registers.
    fn affine_form(
        &self,
        frame: &Frame<'p>,
        state: &State,
        space: &Space,
        expr: ExprId,
        depth: u32,
    ) -> Option<Form> {
        let node = &frame.body.exprs[expr];
        // Sums of wider integers are the same modulo the width; narrower ones are not.
        let wide = self.types.int_type(node.ty).is_some_and(|ty| u32::from(ty.bits) >= space.bits);
        if depth == 0 || !wide {
            return None;
        }
        let inner = |expr: ExprId| self.affine_form(frame, state, space, expr, depth - 1);
        let combined = |x: Form, y: &Form, times: u64| Form {
            terms: x
                .terms
                .iter()
                .zip(&y.terms)
                .map(|(a, b)| a.wrapping_add(times.wrapping_mul(*b)))
                .collect(),
            constant: x.constant.wrapping_add(times.wrapping_mul(y.constant)),
        };
        let none = || constant(space, 0);
        match node.kind {
            ExprKind::Int(value) => Some(constant(space, value as u64)),
            ExprKind::Local(local) => self.affine_register(frame, state, space, local, depth),
            ExprKind::Cast(from) => inner(from),
            ExprKind::Unary(UnaryOp::Neg, x) => Some(combined(none(), &inner(x)?, u64::MAX)),
            ExprKind::Binary(BinaryOp::Add, x, y) => Some(combined(inner(x)?, &inner(y)?, 1)),
            ExprKind::Binary(BinaryOp::Sub, x, y) => Some(combined(inner(x)?, &inner(y)?, u64::MAX)),
            ExprKind::Binary(BinaryOp::Mul, x, y) => {
                let (x, y) = (inner(x)?, inner(y)?);
                let is_constant = |form: &Form| form.terms.iter().all(|c| *c == 0);
                match (is_constant(&x), is_constant(&y)) {
                    (true, _) => Some(combined(none(), &y, x.constant)),
                    (_, true) => Some(combined(none(), &x, y.constant)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn affine_register(
        &self,
        frame: &Frame<'p>,
        state: &State,
        space: &Space,
        local: LocalId,
        depth: u32,
    ) -> Option<Form> {
        // What was never written need not be the same twice.
        let value = state.registers.get(u64::from(local.0)).filter(|value| !value.uninit)?;
        if let Some(at) = space.index(local) {
            let mut form = constant(space, 0);
            form.terms[at] = 1;
            return Some(form);
        }
        if let Some(value) = value.kind.as_constant() {
            return Some(constant(space, value as u64));
        }
        match state.definitions.get(u64::from(local.0)) {
            Some(Definition::Expr(expr)) => self.affine_form(frame, state, space, *expr, depth - 1),
            _ => None,
        }
    }

    /// Compares two integers of which the spaces know how far they are apart.
    pub(crate) fn compare_by_spaces(&self, frame: &Frame<'p>, state: &State, test: Comparison) -> Tri {
        let ty = frame.body.exprs[test.left].ty;
        let Some(ty) = self.types.int_type(ty) else { return Tri::Maybe };
        let Some(space) = state.spaces.iter().find(|space| space.bits == u32::from(ty.bits)) else {
            return Tri::Maybe;
        };
        let form = |expr| self.affine_form(frame, state, space, expr, DEEPEST);
        let (Some(x), Some(y)) = (form(test.left), form(test.right)) else { return Tri::Maybe };
        let difference = Form {
            terms: x.terms.iter().zip(&y.terms).map(|(a, b)| a.wrapping_sub(*b)).collect(),
            constant: x.constant.wrapping_sub(y.constant),
        };
        let known = restricted(state, space);
        match (known.value(&difference), test.op) {
            (Some(0), CompareOp::Eq | CompareOp::Le | CompareOp::Ge) => Tri::True,
            (Some(0), CompareOp::Ne | CompareOp::Lt | CompareOp::Gt) => Tri::False,
            (Some(_), CompareOp::Eq) => Tri::False,
            (Some(_), CompareOp::Ne) => Tri::True,
            _ => Tri::Maybe,
        }
    }
}

impl State {
    /// Before registers are forgotten, what is known of them is known of those that they are added up with.
    pub(crate) fn settle_spaces(&mut self, dead: &dyn Fn(LocalId) -> bool) {
        let dies = |local: &LocalId| dead(*local) && self.registers.get(u64::from(local.0)).is_some();
        if !self.spaces.iter().any(|space| space.registers.iter().any(dies)) {
            return;
        }
        let settled: Vec<Space> = self.spaces.iter().map(|space| restricted(self, space)).collect();
        settled.into_iter().for_each(|space| self.spaces.put(space));
    }
}

fn constant(space: &Space, value: u64) -> Form {
    Form { terms: vec![0; space.registers.len()], constant: value }
}

/// A space with what else is known of its registers: those that have one value, and those that are equal but for a
/// constant.
fn restricted(state: &State, space: &Arc<Space>) -> Space {
    let mut known = Space::clone(space);
    let registers = space.registers.clone();
    for (at, local) in registers.iter().enumerate() {
        let value = state.registers.get(u64::from(local.0)).filter(|value| !value.uninit);
        if let Some(value) = value.and_then(|value| value.kind.as_constant()) {
            let mut form = constant(space, (value as u64).wrapping_neg());
            form.terms[at] = 1;
            known.restrict(&form);
            continue;
        }
        for (other, with) in registers.iter().enumerate().skip(at + 1) {
            let apart = state.relations.bound(*local, *with);
            let back = state.relations.bound(*with, *local);
            if let (Some(most), Some(least)) = (apart, back)
                && most == -least
            {
                let mut form = constant(space, (most as u64).wrapping_neg());
                form.terms[at] = 1;
                form.terms[other] = u64::MAX;
                known.restrict(&form);
            }
        }
    }
    known
}
