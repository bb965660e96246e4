// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a probed function shows, and where.

use clew_ir::obligation::Condition;
use clew_ir::syntax::{BlockId, CompareOp, ExprId, ExprKind, ObligationId};

use super::Compiler;
use crate::code::{Action, Reg, Rep};
use crate::probe::Sight;

impl Compiler<'_, '_> {
    fn seen(&mut self, expr: ExprId) -> (Reg, Rep) {
        (self.value(expr), self.rep(expr))
    }

    fn show(&mut self, sight: Sight) {
        self.slow(Vec::new(), Action::Show(sight));
    }

    /// Shows what a branch goes by. The condition is peeled already.
    pub(super) fn show_branch(&mut self, block: BlockId, condition: ExprId) {
        if self.environment.wanted.is_none() {
            return;
        }
        let (statement, op) = (None, CompareOp::Ne);
        let sight = match self.body.exprs[condition].kind {
            ExprKind::Compare(op, left, right) => {
                let (left, right) = (self.seen(left), Some(self.seen(right)));
                Sight::Compare { block, statement, op, left, right }
            }
            _ => Sight::Compare { block, statement, op, left: self.seen(condition), right: None },
        };
        self.show(sight);
    }

    /// Shows the operands of a comparison whose result a statement keeps or hands on: a branch on that result alone
    /// would not tell how near it was to being another.
    pub(super) fn show_comparison(&mut self, value: ExprId) {
        if self.environment.wanted.is_none() {
            return;
        }
        let mut value = value;
        while let ExprKind::Cast(operand) = self.body.exprs[value].kind {
            value = operand;
        }
        if let ExprKind::Compare(op, left, right) = self.body.exprs[value].kind {
            let (left, right) = (self.seen(left), Some(self.seen(right)));
            let (block, statement) = (self.position.0, Some(self.position.1));
            self.show(Sight::Compare { block, statement, op, left, right });
        }
    }

    /// Shows what a switch goes by.
    pub(super) fn show_switch(&mut self, block: BlockId, value: ExprId) {
        if self.environment.wanted.is_some() {
            let value = self.seen(value);
            self.show(Sight::Switch { block, value });
        }
    }

    /// Shows how near a wanted obligation is to being violated.
    pub(super) fn show_obligation(&mut self, obligation: ObligationId, condition: &Condition) {
        let is_wanted = |wanted: &crate::probe::Wanted| wanted.contains(&(self.function, obligation));
        if !self.environment.wanted.is_some_and(is_wanted) {
            return;
        }
        let sight = match condition {
            Condition::NotRaised(_, expr) | Condition::Holds(expr) => match self.body.exprs[*expr].kind {
                ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
                    Sight::Operands { obligation, left: self.seen(left), right: Some(self.seen(right)) }
                }
                ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => {
                    Sight::Operands { obligation, left: self.seen(operand), right: None }
                }
                _ => return,
            },
            Condition::InBounds(place) => {
                let bytes = self.types.size_of(place.ty);
                Sight::Access { obligation, address: self.plain_address(place), bytes }
            }
            _ => return,
        };
        self.show(sight);
    }
}
