// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks: how they become part of the operation they guard.

use clew_ir::obligation::Condition;
use clew_ir::syntax::{CompareOp, ExprId, ExprKind, ObligationId, Place, PlaceBase, Projection};

use super::Compiler;
use crate::code::{Action, Op, Rep};
use crate::policy::Action as PolicyAction;

impl Compiler<'_, '_> {
    /// What is done about an obligation's check.
    pub(super) fn action_of(&self, obligation: ObligationId) -> PolicyAction {
        self.environment.policy.action(self.body.obligations[obligation].check)
    }

    /// A check statement: each obligation becomes part of the operation it speaks of, where that is possible.
    pub(super) fn check(&mut self, obligations: impl Iterator<Item = ObligationId>) {
        let mut raises: Option<(ExprId, Vec<ObligationId>)> = None;
        for id in obligations {
            if self.action_of(id) == PolicyAction::Ignore {
                continue;
            }
            let body = self.body;
            let condition = &body.obligations[id].condition;
            if let Condition::NotRaised(_, expr) = condition {
                match &mut raises {
                    Some((same, list)) if *same == *expr => list.push(id),
                    _ => {
                        self.finish_raises(raises.take());
                        self.flush_pending();
                        self.show_obligation(id, condition);
                        raises = Some((*expr, vec![id]));
                    }
                }
                continue;
            }
            self.finish_raises(raises.take());
            self.show_obligation(id, condition);
            self.condition(id, condition);
        }
        self.finish_raises(raises.take());
    }

    fn finish_raises(&mut self, raises: Option<(ExprId, Vec<ObligationId>)>) {
        if let Some((expr, obligations)) = raises {
            self.checked(expr, obligations);
        }
    }

    fn condition(&mut self, id: ObligationId, condition: &Condition) {
        match condition {
            Condition::NotNull(_)
            | Condition::Valid(_)
            | Condition::Live(_)
            | Condition::InBounds(_)
            | Condition::Writable(_)
            | Condition::Aligned(..)
            | Condition::Initialised(..)
            | Condition::Callable(_) => self.pending.push(id),
            Condition::NotLeaked | Condition::Commutes => {}
            Condition::InitialisedLocal(local) => {
                self.flush_pending();
                if !self.assigned.surely(*local)
                    && let Some(a) = self.code.flags.get(local).copied()
                {
                    self.emit_at_site(Op::CheckNonZero { a }, vec![id], Action::Nothing);
                }
            }
            Condition::Holds(expr) => {
                self.flush_pending();
                self.holds(id, *expr);
            }
            Condition::SameObject(left, right) => {
                self.flush_pending();
                let (a, b) = (self.value(*left), self.value(*right));
                self.emit_at_site(Op::CheckSame { a, b }, vec![id], Action::Nothing);
            }
            _ => {
                self.flush_pending();
                self.slow(vec![id], Action::Nothing);
            }
        }
    }

    fn holds(&mut self, id: ObligationId, expr: ExprId) {
        if let ExprKind::Compare(op @ (CompareOp::Lt | CompareOp::Le), left, right) =
            self.body.exprs[expr].kind
            && let Some(limit) = self.constant_value(right)
            && let Rep::Int(int) = self.rep(left)
            && super::expr::is_full_unsigned(int)
            && let Ok(x) = u32::try_from(limit + i128::from(op == CompareOp::Le))
        {
            let a = self.value(left);
            self.emit_at_site(Op::CheckBelow { a, x }, vec![id], Action::Nothing);
            return;
        }
        match self.rep(expr) {
            Rep::Int(_) | Rep::Pointer => {
                let a = self.value(expr);
                self.emit_at_site(Op::CheckNonZero { a }, vec![id], Action::Nothing);
            }
            _ => self.slow(vec![id], Action::Nothing),
        }
    }

    /// Judges the waiting obligations here, because what follows is not their access.
    pub(super) fn flush_pending(&mut self) {
        if !self.pending.is_empty() {
            let obligations = std::mem::take(&mut self.pending);
            self.slow(obligations, Action::Nothing);
        }
    }

    /// The waiting obligations, all of which must speak of these places; others are judged first.
    pub(super) fn take_pending(&mut self, places: &[&Place]) -> Vec<ObligationId> {
        let speaks = |id: &ObligationId| {
            let condition = &self.body.obligations[*id].condition;
            places.iter().any(|place| self.speaks_of(condition, place))
        };
        if !self.pending.iter().all(speaks) {
            self.flush_pending();
        }
        std::mem::take(&mut self.pending)
    }

    fn speaks_of(&self, condition: &Condition, place: &Place) -> bool {
        match condition {
            Condition::NotNull(e) | Condition::Valid(e) | Condition::Live(e) => {
                match (&self.body.exprs[*e].kind, place.base) {
                    (_, PlaceBase::Deref(base)) if self.same(base, *e) => true,
                    (ExprKind::AddressOf(of), base) => self.same_base(of.base, base),
                    _ => false,
                }
            }
            Condition::InBounds(of)
            | Condition::Writable(of)
            | Condition::Aligned(of, _)
            | Condition::Initialised(of, _) => self.same_place(of, place),
            _ => false,
        }
    }

    fn same_place(&self, one: &Place, other: &Place) -> bool {
        let same_step = |(one, other): (&Projection, &Projection)| match (*one, *other) {
            (Projection::Index { index, stride, .. }, Projection::Index { index: i, stride: s, .. }) => {
                stride == s && self.same(index, i)
            }
            (one, other) => one == other,
        };
        self.same_base(one.base, other.base)
            && one.projections.len() == other.projections.len()
            && one.projections.iter().zip(&other.projections).all(same_step)
    }

    fn same_base(&self, one: PlaceBase, other: PlaceBase) -> bool {
        match (one, other) {
            (PlaceBase::Deref(one), PlaceBase::Deref(other)) => self.same(one, other),
            (one, other) => one == other,
        }
    }

    /// Whether two expressions are surely the same: one node, or alike as far as the usual bases and indices go.
    fn same(&self, one: ExprId, other: ExprId) -> bool {
        if one == other {
            return true;
        }
        let (one, other) = (&self.body.exprs[one], &self.body.exprs[other]);
        one.ty == other.ty
            && match (&one.kind, &other.kind) {
                (ExprKind::Local(one), ExprKind::Local(other)) => one == other,
                (ExprKind::Int(one), ExprKind::Int(other)) => one == other,
                (ExprKind::Cast(one), ExprKind::Cast(other)) => self.same(*one, *other),
                (ExprKind::AddressOf(one), ExprKind::AddressOf(other)) => self.same_place(one, other),
                (
                    ExprKind::PointerAdd { pointer, index, stride },
                    ExprKind::PointerAdd { pointer: p, index: i, stride: s },
                ) => stride == s && self.same(*pointer, *p) && self.same(*index, *i),
                (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
                    op == other && self.same(*a, *c) && self.same(*b, *d)
                }
                _ => false,
            }
    }
}
