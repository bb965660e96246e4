// SPDX-License-Identifier: MIT OR Apache-2.0
//! What gcc folds before it decides on an order.
//!
//! gcc puts a plain variable last in operations that commute and in comparisons, and it does so after it has folded the
//! operands: `x * 1`, `(0, x)` and `*&x` are plain variables to it. Lowering keeps the operations, with their
//! obligations, and follows gcc in the order alone (`cargo xtask order` compares the two on random expressions).

use rucc_ast::{BinaryOp as CBinary, UnaryOp as CUnary};
use rucc_sema::{Const, Conversion, ExprKind as C};
use rucc_types::{IntKind, TypeKind};

use super::build::{CExpr, FunctionLowering};
use super::types::CType;

impl FunctionLowering<'_, '_> {
    /// The expression that gcc is left with: without reads, without conversions that keep the bits, and without
    /// operations that change nothing.
    pub(super) fn core(&self, expr: CExpr) -> CExpr {
        Fold::of(self).core(expr)
    }

    /// Whether a signed integer is multiplied or divided by a constant, which gcc can take the negative of.
    pub(super) fn is_scaled(&self, expr: CExpr) -> bool {
        let C::Binary { op: op @ (CBinary::Mul | CBinary::Div), lhs, rhs } = self.tast[expr].kind else {
            return false;
        };
        let fold = Fold::of(self);
        let constant = |expr: CExpr| fold.integer(expr).is_some();
        let signed = matches!(
            self.unit.kind(self.tast[expr].ty),
            TypeKind::Int(IntKind::Int | IntKind::Long | IntKind::LongLong | IntKind::Int128)
        );
        signed && (constant(rhs) || (op == CBinary::Mul && constant(lhs)))
    }

    /// The read that the expression comes to, if it comes to one.
    pub(super) fn plain_read(&self, expr: CExpr) -> Option<CExpr> {
        let fold = Fold::of(self);
        let mut expr = expr;
        for _ in 0..DEPTH {
            if let C::Convert { kind: Conversion::Lvalue, .. } = self.tast[expr].kind {
                return Some(expr);
            }
            expr = fold.simpler(expr)?;
        }
        None
    }

    /// A comparison that is converted to a float becomes `a < b ? 1.0 : 0.0`, which keeps what is in it.
    fn becomes_choice(&self, expr: CExpr, operand: CExpr) -> bool {
        let compares = |op| {
            use CBinary::{Eq, Ge, Gt, Le, Lt, Ne};
            matches!(op, Lt | Gt | Le | Ge | Eq | Ne)
        };
        let comparison = match self.tast[operand].kind {
            C::Binary { op, .. } => compares(op),
            C::Unary { op, .. } => op == CUnary::Not,
            _ => false,
        };
        comparison && rucc_types::is_floating(&self.unit.unit.types, self.tast[expr].ty)
    }

    /// The sequences that gcc takes out of the operation around: of `(f(), x) + 1` it makes `f(), x + 1`. In the order
    /// in which they are evaluated.
    pub(super) fn sequences(&self, expr: CExpr) -> Vec<CExpr> {
        let mut found = Vec::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            if !self.unit.scan.has_sequences(expr) {
                continue;
            }
            match self.tast[expr].kind {
                C::Comma { lhs, rhs } => {
                    if self.unit.scan.has_effects(lhs) && !self.hoisted.contains_key(&expr) {
                        found.push(expr);
                    }
                    open.push(rhs);
                }
                C::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand }
                | C::Cast(operand)
                    if self.becomes_choice(expr, operand) => {}
                C::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand }
                | C::Cast(operand)
                | C::Unary { op: CUnary::Plus | CUnary::Minus | CUnary::BitNot | CUnary::Not, operand } => {
                    open.push(operand);
                }
                C::Binary { op, lhs, rhs } if !matches!(op, CBinary::LogAnd | CBinary::LogOr) => {
                    open.extend([rhs, lhs]);
                }
                _ => {}
            }
        }
        found
    }
}

/// How many operations deep folding looks: expressions are very deep at times, and what is folded never is.
const DEPTH: u32 = 8;

#[derive(Clone, Copy)]
pub(super) struct Fold<'a, 'f, 'u> {
    function: &'a FunctionLowering<'f, 'u>,
    depth: u32,
}

impl<'a, 'f, 'u> Fold<'a, 'f, 'u> {
    pub(super) fn of(function: &'a FunctionLowering<'f, 'u>) -> Self {
        Fold { function, depth: DEPTH }
    }

    fn core(self, mut expr: CExpr) -> CExpr {
        let Some(depth) = self.depth.checked_sub(1) else { return expr };
        let inner = Fold { depth, ..self };
        for _ in 0..DEPTH {
            match inner.simpler(expr) {
                Some(simpler) => expr = simpler,
                None => break,
            }
        }
        expr
    }

    /// One step of folding, where there is one to a single operand.
    fn simpler(self, expr: CExpr) -> Option<CExpr> {
        match self.function.tast[expr].kind {
            C::Convert { kind: Conversion::Lvalue, operand } => Some(operand),
            C::Convert { operand, .. } | C::Cast(operand) => self.without_conversion(expr, operand),
            C::Unary { op: CUnary::Plus, operand } => Some(operand),
            C::Unary { op: op @ (CUnary::Minus | CUnary::BitNot), operand } => self.operand_of(op, operand),
            C::Unary { op: CUnary::Deref, operand } => self.operand_of(CUnary::AddrOf, operand),
            C::Unary { op: CUnary::AddrOf, operand } => self.operand_of(CUnary::Deref, operand),
            C::Subscript { base, index } if self.integer(index) == Some(0) => {
                self.operand_of(CUnary::AddrOf, base)
            }
            C::Binary { op, lhs, rhs } => self.without_operation(op, lhs, rhs),
            C::Comma { rhs, .. } => Some(rhs),
            C::Cond { cond, then, otherwise } => self.chosen(cond, then, otherwise),
            _ => None,
        }
    }

    /// The operand of that operator, if that is what the expression is.
    fn operand_of(self, wanted: CUnary, expr: CExpr) -> Option<CExpr> {
        match self.function.tast[self.core(expr)].kind {
            C::Unary { op, operand } if op == wanted => Some(operand),
            _ => None,
        }
    }

    fn without_conversion(self, expr: CExpr, operand: CExpr) -> Option<CExpr> {
        let (to, from) = (self.function.tast[expr].ty, self.function.tast[operand].ty);
        let width = self.width(to);
        if width.is_some() && width == self.width(from) {
            return Some(operand);
        }
        // There and back again: through a type that holds every value.
        let (C::Convert { operand: inner, .. } | C::Cast(inner)) = self.function.tast[operand].kind else {
            return None;
        };
        let origin = self.width(self.function.tast[inner].ty)?;
        (width == Some(origin) && self.width(from)? >= origin).then_some(inner)
    }

    /// Bits of a type whose values are bits: integers and pointers, `_Bool` apart.
    pub(super) fn width(self, ty: CType) -> Option<u64> {
        let types = &self.function.unit.unit.types;
        let integral = rucc_types::is_integer(types, ty) || rucc_types::is_pointer(types, ty);
        let is_bool = matches!(self.function.unit.kind(ty), TypeKind::Bool);
        self.bytes(ty).filter(|_| integral && !is_bool).map(|bytes| bytes * 8)
    }

    fn bytes(self, ty: CType) -> Option<u64> {
        rucc_types::layout(&self.function.unit.unit.types, ty, &self.function.unit.unit.target)
            .map(|l| l.size)
            .ok()
    }

    /// The one operand of an operation with a constant that leaves it as it is.
    fn without_operation(self, op: CBinary, lhs: CExpr, rhs: CExpr) -> Option<CExpr> {
        if matches!(op, CBinary::BitAnd | CBinary::BitOr) && self.is_same(lhs, rhs) {
            return Some(lhs);
        }
        let floating = rucc_types::is_floating(&self.function.unit.unit.types, self.function.tast[lhs].ty);
        // What the other operand must be, and whether it may stand on the left.
        let (neutral, either) = match op {
            CBinary::Add if floating => return None,
            CBinary::Add | CBinary::BitOr | CBinary::BitXor => (0, true),
            CBinary::Sub | CBinary::Shl | CBinary::Shr => (0, false),
            CBinary::Mul => (1, true),
            CBinary::Div => (1, false),
            CBinary::BitAnd => (-1, true),
            _ => return None,
        };
        let is_neutral = |expr: CExpr| self.constant_is(expr, neutral);
        if is_neutral(rhs) { Some(lhs) } else { (either && is_neutral(lhs)).then_some(rhs) }
    }

    fn constant_is(self, expr: CExpr, wanted: i128) -> bool {
        match self.integer(expr) {
            Some(value) if wanted == -1 => {
                let width = self.width(self.function.tast[expr].ty).unwrap_or(0);
                value == -1 || (width < 127 && value == (1 << width) - 1)
            }
            value => value == Some(wanted),
        }
    }

    /// The value of a constant.
    fn integer(self, expr: CExpr) -> Option<i128> {
        let within = Fold { depth: self.depth.checked_sub(1)?, ..self };
        match self.function.tast[expr].kind {
            C::Const(id) => match &self.function.tast[id] {
                Const::Int(value) => Some(*value),
                Const::Float(value) => zero_or_one(*value),
                _ => None,
            },
            C::Convert { kind: Conversion::Arithmetic | Conversion::Pointer, operand } | C::Cast(operand) => {
                // Constants that a conversion changes are not worth the trouble.
                within.integer(operand).filter(|value| (-1..128).contains(value))
            }
            C::Unary { op: CUnary::Plus, operand } => within.integer(operand),
            C::Unary { op: CUnary::Minus, operand } => within.integer(operand)?.checked_neg(),
            C::Unary { op: CUnary::BitNot, operand } => Some(!within.integer(operand)?),
            C::Unary { op: CUnary::Not, operand } => Some(i128::from(within.integer(operand)? == 0)),
            C::Binary { op, lhs, rhs } => {
                let (left, right) = (within.integer(lhs)?, within.integer(rhs)?);
                match op {
                    CBinary::Add => left.checked_add(right),
                    CBinary::Sub => left.checked_sub(right),
                    CBinary::Mul => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The arm that a conditional expression comes to: `1 ? x : y`, `x != y ? x : y`, `x == 0 ? 0 : x`.
    fn chosen(self, cond: CExpr, then: CExpr, otherwise: CExpr) -> Option<CExpr> {
        let mut cond = cond;
        while let C::Convert { kind: Conversion::Bool, operand } = self.function.tast[cond].kind {
            cond = operand;
        }
        if let Some(value) = self.integer(cond) {
            return Some(if value != 0 { then } else { otherwise });
        }
        if rucc_types::is_floating(&self.function.unit.unit.types, self.function.tast[then].ty)
            || then == otherwise
        {
            return None;
        }
        let zero = |expr: CExpr| self.integer(expr) == Some(0);
        let (equal, is_pair) = match self.function.tast[cond].kind {
            C::Binary { op: op @ (CBinary::Eq | CBinary::Ne), lhs, rhs } => {
                let pair = |a, b| self.is_same(a, lhs) && self.is_same(b, rhs);
                (op == CBinary::Eq, pair(then, otherwise) || pair(otherwise, then))
            }
            C::Unary { op: CUnary::Not, operand } => (true, zero(then) && self.is_same(otherwise, operand)),
            // `x ?: 0` shares its operand, which gcc keeps.
            _ if cond == then => return None,
            _ => (false, zero(otherwise) && self.is_same(then, cond)),
        };
        is_pair.then_some(if equal { otherwise } else { then })
    }

    /// Whether two expressions are the same variable or the same constant.
    fn is_same(self, a: CExpr, b: CExpr) -> bool {
        if self.function.unit.scan.has_effects(a) || self.function.unit.scan.has_effects(b) {
            return false;
        }
        match (self.function.tast[self.core(a)].kind, self.function.tast[self.core(b)].kind) {
            (C::Decl(a), C::Decl(b)) => a == b,
            (C::Const(_), C::Const(_)) => self.integer(a).is_some() && self.integer(a) == self.integer(b),
            _ => false,
        }
    }
}

/// A float that is 0 or 1.
fn zero_or_one(value: rucc_base::float::Float) -> Option<i128> {
    let one: u128 = match value.format().width() {
        32 => 0x3f80_0000,
        64 => 0x3ff0_0000_0000_0000,
        80 => 0x3fff_8000_0000_0000_0000,
        _ => return None,
    };
    match value.to_bits() {
        0 => Some(0),
        bits => (bits == one).then_some(1),
    }
}
