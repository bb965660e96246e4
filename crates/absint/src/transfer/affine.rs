// SPDX-License-Identifier: MIT OR Apache-2.0
//! What statements do to spaces, and what spaces say of tests.

use std::sync::Arc;

use clew_ir::syntax::{CompareOp, ExprId, LocalId};

use crate::domain::Tri;
use crate::domain::affine::{Form, Space, Spaces};
use crate::effort::affine::DEEPEST;
use crate::engine::facts::{Facts, Frame};
use crate::program::comparison::Comparison;
use crate::state::State;

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
        let mut space = match state.domains.spaces.of(registers) {
            Some(space) => Space::clone(space),
            None => Space::whole(registers.clone(), *bits),
        };
        let form = self.affine_form(frame, state, &space, expr);
        space.assign(local, form.as_ref());
        let mut spaces = state.domains.spaces.clone();
        spaces.put(space);
        Some(spaces)
    }

    /// An integer expression modulo the width of a space, as a sum of its registers.
    fn affine_form(&self, frame: &Frame<'p>, state: &State, space: &Space, expr: ExprId) -> Option<Form> {
        let is_term = |local: LocalId| space.index(local).is_some();
        let sum = self.modular_sum(frame, state, expr, space.bits, &is_term, DEEPEST)?;
        let mut form = constant(space, sum.constant);
        for (local, coefficient) in &sum.terms {
            form.terms[space.index(*local)?] = *coefficient;
        }
        Some(form)
    }

    /// Compares two integers of which the spaces know how far they are apart.
    pub(crate) fn compare_by_spaces(&self, frame: &Frame<'p>, state: &State, test: Comparison) -> Tri {
        let ty = frame.body.exprs[test.left].ty;
        let Some(ty) = self.types.int_type(ty) else { return Tri::Maybe };
        let Some(space) = state.domains.spaces.iter().find(|space| space.bits == u32::from(ty.bits)) else {
            return Tri::Maybe;
        };
        let form = |expr| self.affine_form(frame, state, space, expr);
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
        let dies = |local: &LocalId| dead(*local) && self.registers().get(*local).is_some();
        if !self.domains.spaces.iter().any(|space| space.registers.iter().any(dies)) {
            return;
        }
        let settled: Vec<Space> = self.domains.spaces.iter().map(|space| restricted(self, space)).collect();
        settled.into_iter().for_each(|space| self.domains.spaces.put(space));
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
        let value = state.registers().get(*local).filter(|value| !value.uninit);
        if let Some(value) = value.and_then(|value| value.kind.as_constant()) {
            let mut form = constant(space, (value as u64).wrapping_neg());
            form.terms[at] = 1;
            known.restrict(&form);
            continue;
        }
        for (other, with) in registers.iter().enumerate().skip(at + 1) {
            let apart = state.domains.relations.bound(*local, *with);
            let back = state.domains.relations.bound(*with, *local);
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
