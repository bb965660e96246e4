// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations whose result is converted to a narrower integer.
//!
//! gcc computes them in the narrow type: of `(short)(h + f())` it makes `(short)h + (short)f()`. A variable of that type
//! is then a plain operand, which it reads last (see `fold`), and at an explicit cast a wider one no longer is.

use rucc_ast::{BinaryOp as CBinary, UnaryOp as CUnary};
use rucc_sema::{Conversion, ExprKind as C};

use super::arithmetic::commutes;
use super::build::{CExpr, FunctionLowering};
use super::fold::Fold;

/// To how many bits, and how.
#[derive(Clone, Copy)]
pub(super) struct Narrowed {
    width: u64,
    /// By a cast: operands are folded in the narrow type alone.
    pub(super) explicit: bool,
}

impl FunctionLowering<'_, '_> {
    /// A conversion is about to be lowered.
    pub(super) fn note_narrowing(&mut self, expr: CExpr, operand: CExpr, explicit: bool) {
        if !self.unit.scan.has_effects(operand) {
            return;
        }
        let fold = Fold::of(self);
        let (to, from) = (fold.width(self.tast[expr].ty), fold.width(self.tast[operand].ty));
        if let (Some(width), Some(wide)) = (to, from)
            && width < wide
        {
            self.narrow(operand, Narrowed { width, explicit });
        }
    }

    /// The operands of a narrow operation are narrow, too.
    pub(super) fn narrow_operands(&mut self, lhs: CExpr, rhs: CExpr, narrowed: Narrowed) {
        for operand in [lhs, rhs] {
            self.narrow(operand, narrowed);
        }
    }

    fn narrow(&mut self, expr: CExpr, narrowed: Narrowed) {
        let expr = self.unwidened(expr, narrowed.width);
        if let C::Binary { op, .. } = self.tast[expr].kind
            && (commutes(op) || op == CBinary::Sub)
        {
            self.narrowed.insert(expr, narrowed);
        }
    }

    /// Whether the narrow operation reads its left operand last.
    pub(super) fn is_swapped_narrow(&self, op: CBinary, lhs: CExpr, rhs: CExpr, narrowed: Narrowed) -> bool {
        let inner = self.core(self.unwidened(lhs, narrowed.width));
        // `-a + b` becomes `b - a` in any type.
        if op == CBinary::Add && matches!(self.tast[inner].kind, C::Unary { op: CUnary::Minus, .. }) {
            return true;
        }
        commutes(op)
            && self.unit.scan.has_effects(rhs)
            && self.is_narrow_variable(lhs, narrowed.width)
            && !self.is_narrow_variable(rhs, narrowed.width)
    }

    fn is_narrow_variable(&self, expr: CExpr, width: u64) -> bool {
        let inner = self.unwidened(expr, width);
        Fold::of(self).width(self.tast[inner].ty) == Some(width)
            && matches!(self.tast[self.core(inner)].kind, C::Decl(_))
    }

    /// The expression without conversions that the narrow type does not see.
    fn unwidened(&self, mut expr: CExpr, width: u64) -> CExpr {
        let fold = Fold::of(self);
        let wide = |expr: CExpr| fold.width(self.tast[expr].ty).is_some_and(|own| own >= width);
        while let C::Convert { kind: Conversion::Arithmetic, operand } | C::Cast(operand) =
            self.tast[expr].kind
        {
            if !wide(expr) || !wide(operand) {
                break;
            }
            expr = operand;
        }
        expr
    }
}
