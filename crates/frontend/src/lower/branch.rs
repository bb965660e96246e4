// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions: two ways on, with C's short circuits as control flow.

use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{BlockId, CompareOp, ExprId, ExprKind, StatementKind, Terminator, Type};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprKind as C};

use super::build::{CExpr, FunctionLowering};

impl FunctionLowering<'_, '_> {
    /// A condition that is a full expression of its own.
    pub(super) fn full_branch(&mut self, expr: CExpr, then: BlockId, otherwise: BlockId) {
        let mark = self.temporaries.len();
        self.begin_full(expr);
        self.branch(expr, then, otherwise);
        self.effects.clear();
        let span = self.span_of(expr);
        self.end_temporaries_on(mark, [then, otherwise], span);
    }

    /// Goes to `then` if the expression is not zero, else to `otherwise`.
    pub(super) fn branch(&mut self, expr: CExpr, then: BlockId, otherwise: BlockId) {
        let span = self.span_of(expr);
        let mark = self.effects.mark();
        match self.tast[expr].kind {
            C::Convert { kind: Conversion::Bool, operand } => self.branch(operand, then, otherwise),
            C::Unary { op: UnaryOp::Not, operand } => self.branch(operand, otherwise, then),
            C::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let right = self.new_block();
                self.branch(lhs, right, otherwise);
                self.effects.settle(mark);
                self.switch_to(right);
                self.branch(rhs, then, otherwise);
            }
            C::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let right = self.new_block();
                self.branch(lhs, then, right);
                self.effects.settle(mark);
                self.switch_to(right);
                self.branch(rhs, then, otherwise);
            }
            C::Comma { lhs, rhs } => {
                self.sequenced_before(expr, lhs);
                self.branch(rhs, then, otherwise);
            }
            C::Const(value) => match self.tast[value] {
                // A constant condition is no branch: what it excludes stays without predecessor.
                Const::Int(0) => self.goto(otherwise, span),
                Const::Int(_) => self.goto(then, span),
                _ => self.branch_on_value(expr, then, otherwise, span),
            },
            _ => self.branch_on_value(expr, then, otherwise, span),
        }
    }

    fn branch_on_value(&mut self, expr: CExpr, then: BlockId, otherwise: BlockId, span: Span) {
        let value = self.scalar(expr);
        let condition = self.truth(value, span);
        self.terminate(Terminator::Branch { condition, then, otherwise }, span);
    }

    /// An integer that is not zero exactly when the value is not.
    pub(super) fn truth(&mut self, value: ExprId, span: Span) -> ExprId {
        match self.ir_type(self.type_of(value)) {
            Type::Bool | Type::Int { .. } => value,
            _ => self.compare_with_zero(CompareOp::Ne, value, span),
        }
    }

    /// `value == 0` or `value != 0`, as an `int`.
    pub(super) fn compare_with_zero(&mut self, op: CompareOp, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        let zero = self.zero(ty, span);
        let int = self.unit.known.int;
        let expr = self.expr(ExprKind::Compare(op, value, zero), int, span);
        let scalar = self.scalar_of(ty);
        self.demand(&Operation::Compare { expr, op, scalar, operands: (value, zero) }, span);
        expr
    }

    /// `&&`, `||` and `!` of them as a value: 0 or 1.
    pub(super) fn logical_value(&mut self, expr: CExpr) -> ExprId {
        let span = self.span_of(expr);
        let ty = self.unit.ty(self.tast[expr].ty);
        let local = self.temporary(ty, span);
        let mark = self.effects.mark();
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(expr, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.switch_to(block);
            let value = self.int_const(value, ty, span);
            self.emit(StatementKind::Assign { local, value }, span);
            self.goto(after, span);
        }
        self.effects.settle(mark);
        self.switch_to(after);
        self.local_value(local, span)
    }
}
