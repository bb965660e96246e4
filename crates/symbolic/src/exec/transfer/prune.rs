// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of pointers that no run has behind a check.
//!
//! A run that goes on behind a check that ends runs has not violated it: another engine proved that none does, or the
//! execution notes those that do and they are over. So a pointer in a register loses the cases for which the check cannot
//! hold: null, a number, a function, what was freed, what is too small. The others keep their guards: of every run that
//! goes on one holds, so that where only one is left it is that one, and accesses through it are no choices.
//!
//! A case goes only if its condition is false by itself. What depends on inputs is the solver's to find out.

use std::rc::Rc;

use clew_ir::obligation::{Condition, Obligation};
use clew_ir::syntax::{Body, ExprId, ExprKind, LocalId, PlaceBase};

use crate::exec::context::evaluator::Evaluator;
use crate::exec::state::value::{Pointer, Value};
use crate::exec::state::{Local, State};
use crate::exec::transfer::expression::Evaluated;

impl Evaluator<'_> {
    /// Takes away the cases of a pointer for which a check does not hold that all runs of the state satisfy.
    pub fn prune(&mut self, state: &mut State, body: &Body, obligation: &Obligation) {
        if !self.encoder.facts.options.prunes {
            return;
        }
        let Some(register) = register_of(body, &obligation.condition) else { return };
        let Some(Local { value: Value::Pointer(all), written }) = state.frame.get(register).cloned() else {
            return;
        };
        // Most lead to one thing, and looking costs terms.
        if all.cases.len() < 2 {
            return;
        }
        let Some(asked) = self.asked_about(state, &mut Evaluated::default(), &obligation.condition) else {
            return;
        };
        let mut left = all.cases.clone();
        for case in &asked.cases {
            let holds = self.encoder.holds_of(state, &obligation.condition, obligation.check, case);
            if holds.is_some_and(|holds| self.encoder.terms.is_false(holds)) {
                // The pointer asked about is the register's, moved: the same things under the same guards.
                left.retain(|other| (other.base, other.guard) != (case.base, case.guard));
            }
        }
        if left.len() == all.cases.len() || left.is_empty() {
            return;
        }
        self.record.pruned += (all.cases.len() - left.len()) as u64;
        let value = Value::Pointer(Rc::new(Pointer { cases: left }));
        state.frame.set(register, Some(Local { value, written }));
    }
}

/// The register that holds the pointer a condition is about, perhaps moved.
fn register_of(body: &Body, condition: &Condition) -> Option<LocalId> {
    match condition {
        Condition::NotNull(expr) | Condition::Valid(expr) | Condition::Live(expr) => root(body, *expr),
        Condition::InBounds(place) => match place.base {
            PlaceBase::Deref(expr) => root(body, expr),
            _ => None,
        },
        _ => None,
    }
}

fn root(body: &Body, expr: ExprId) -> Option<LocalId> {
    match &body.exprs[expr].kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Cast(inner) | ExprKind::PointerAdd { pointer: inner, .. } => root(body, *inner),
        ExprKind::AddressOf(place) => match place.base {
            PlaceBase::Deref(inner) => root(body, inner),
            _ => None,
        },
        _ => None,
    }
}
