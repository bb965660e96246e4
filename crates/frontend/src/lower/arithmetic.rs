// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operators and conversions on scalars.

use clew_base::float::{Float, Format, Rounding};
use clew_base::source::Span;
use clew_checks::operation::{Operation, Scalar};
use clew_ir::syntax::{BinaryOp, CompareOp, ExprId, ExprKind, Type, TypeId, UnaryOp, UnorderedMarker};
use rucc_ast::{BinaryOp as CBinary, UnaryOp as CUnary};
use rucc_sema::ExprKind as C;

use super::build::{CExpr, FunctionLowering};
use super::expr::Value;
use super::types::CType;

impl FunctionLowering<'_, '_> {
    pub(super) fn binary(&mut self, expr: CExpr, op: CBinary, lhs: CExpr, rhs: CExpr, span: Span) -> Value {
        if matches!(op, CBinary::LogAnd | CBinary::LogOr) {
            return Value::Scalar(self.logical_value(expr));
        }
        let ty = self.unit.ty(self.tast[expr].ty);
        let opaque = [expr, lhs, rhs].into_iter().find_map(|e| self.opaque_reason(e));
        if let Some(what) = opaque {
            self.effect(lhs);
            self.effect(rhs);
            return self.no_value(expr, &what, span);
        }
        let swapped = match self.narrowed.remove(&expr) {
            Some(narrowed) => {
                self.narrow_operands(lhs, rhs, narrowed);
                self.is_swapped_narrow(op, lhs, rhs, narrowed)
                    || (!narrowed.explicit && self.is_swapped(op, lhs, rhs))
            }
            None => self.is_swapped(op, lhs, rhs),
        };
        let (first, second, marks) = self.in_order(lhs, rhs, swapped, span);
        self.check_unsequenced(marks.0, marks.1, span);
        let (left, right) = if swapped { (second, first) } else { (first, second) };
        let operands = Operands { left: (left, self.tast[lhs].ty), right: (right, self.tast[rhs].ty) };
        Value::Scalar(self.operate(op, operands, ty, span))
    }

    /// Two operands, in the order that they are evaluated in, but for the sequences in them: gcc takes those out of the
    /// operation, the left ones first. With where in the log of effects each begins.
    fn in_order(
        &mut self,
        lhs: CExpr,
        rhs: CExpr,
        swapped: bool,
        span: Span,
    ) -> (ExprId, ExprId, (usize, usize)) {
        let (first, second) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
        let region = self.begin_unordered(&[lhs, rhs], span);
        let ahead = !self.sequences(second).is_empty();
        if ahead {
            let (left, right) = (self.sequences(lhs), self.sequences(rhs));
            self.hoist(&left);
            self.unordered(region, UnorderedMarker::Next, span);
            self.hoist(&right);
            if !swapped {
                self.unordered(region, UnorderedMarker::Back, span);
            }
        }
        let first_mark = self.effects.mark();
        let first = self.scalar(first);
        let marker = if ahead { UnorderedMarker::Back } else { UnorderedMarker::Next };
        self.unordered(region, marker, span);
        let second_mark = self.effects.mark();
        let second = self.scalar(second);
        self.unordered(region, UnorderedMarker::End, span);
        (first, second, (first_mark, second_mark))
    }

    /// gcc puts a variable last in operations that commute, makes `-a + b` into `b - a`, and takes the pointer of
    /// `i + p` first.
    fn is_swapped(&self, op: CBinary, lhs: CExpr, rhs: CExpr) -> bool {
        let pointer = |e: CExpr| rucc_types::is_pointer(&self.unit.unit.types, self.tast[e].ty);
        if op == CBinary::Add && pointer(rhs) {
            return true;
        }
        if !self.unit.scan.has_effects(lhs) && !self.unit.scan.has_effects(rhs) {
            return false;
        }
        if op == CBinary::BitXor
            && let Some(swapped) = self.is_swapped_complement(lhs, rhs)
        {
            return swapped;
        }
        let commutes = commutes(op);
        let right = self.core(rhs);
        match self.tast[self.core(lhs)].kind {
            // `a + -b` becomes `a - b`, and `a - b / 3` becomes `b / -3 + a`.
            C::Decl(_) if op == CBinary::Add && self.is_negation(right) => false,
            C::Decl(_) if op == CBinary::Sub => self.is_negation(right) || self.is_scaled(right),
            C::Decl(_) => {
                let plain = matches!(self.tast[right].kind, C::Decl(_));
                (commutes || compare_op(op).is_some()) && !plain
            }
            C::Unary { op: CUnary::Minus, .. } => op == CBinary::Add,
            _ => false,
        }
    }

    /// `~a ^ b` becomes `~(a ^ b)`, and `a ^ ~b` becomes `~(b ^ a)`.
    fn is_swapped_complement(&self, lhs: CExpr, rhs: CExpr) -> Option<bool> {
        let complement = |expr: CExpr| match self.tast[self.core(expr)].kind {
            C::Unary { op: CUnary::BitNot, operand } => Some(operand),
            _ => None,
        };
        match (complement(lhs), complement(rhs)) {
            (None, None) => None,
            (Some(a), None) => Some(self.is_swapped(CBinary::BitXor, a, rhs)),
            (None, Some(b)) => Some(!self.is_swapped(CBinary::BitXor, b, lhs)),
            (Some(a), Some(b)) => Some(self.is_swapped(CBinary::BitXor, a, b)),
        }
    }

    fn is_negation(&self, expr: CExpr) -> bool {
        matches!(self.tast[expr].kind, C::Unary { op: CUnary::Minus, .. })
    }

    /// Why values of the expression's type cannot be computed with, if they cannot.
    pub(super) fn opaque_reason(&mut self, expr: CExpr) -> Option<String> {
        let ty = self.unit.ty(self.tast[expr].ty);
        match self.ir_type(ty) {
            Type::Opaque { what, .. } => Some(what.to_string()),
            _ => None,
        }
    }

    /// An operator on two values whose types rucc has made fit.
    pub(super) fn operate(&mut self, op: CBinary, operands: Operands, ty: TypeId, span: Span) -> ExprId {
        let Operands { left: (left, left_type), right: (right, right_type) } = operands;
        let left_pointer = self.is_pointer_value(left);
        let right_pointer = self.is_pointer_value(right);
        match op {
            CBinary::Add if left_pointer => self.step_by(left, right, left_type, false, ty, span),
            CBinary::Add if right_pointer => self.step_by(right, left, right_type, false, ty, span),
            CBinary::Sub if left_pointer && right_pointer => {
                self.difference(left, right, left_type, ty, span)
            }
            CBinary::Sub if left_pointer => self.step_by(left, right, left_type, true, ty, span),
            _ => match compare_op(op) {
                Some(op) => self.compare(op, left, right, ty, span),
                None => self.arithmetic(op, left, right, ty, span),
            },
        }
    }

    fn is_pointer_value(&self, value: ExprId) -> bool {
        matches!(self.ir_type(self.type_of(value)), Type::Pointer(_))
    }

    fn arithmetic(&mut self, op: CBinary, left: ExprId, right: ExprId, ty: TypeId, span: Span) -> ExprId {
        let Some(op) = arithmetic_op(op) else { return left };
        let left = self.coerce(left, ty, span);
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right = if shift { right } else { self.coerce(right, ty, span) };
        let expr = self.expr(ExprKind::Binary(op, left, right), ty, span);
        let scalar = self.scalar_of(ty);
        self.demand(&Operation::Arithmetic { expr, op: Some(op), scalar }, span);
        self.bounded(expr, span)
    }

    fn compare(&mut self, op: CompareOp, left: ExprId, right: ExprId, ty: TypeId, span: Span) -> ExprId {
        let operand_type = self.type_of(left);
        // Pointers may differ in what they point to, and one side may be a null constant of integer type.
        let right = self.coerce(right, operand_type, span);
        let int = self.unit.known.int;
        let expr = self.expr(ExprKind::Compare(op, left, right), int, span);
        // `isless` and its kin are the operators, but a NaN is a fair question to them.
        if !is_quiet_comparison(self.unit.unit.spelled_text(span)) {
            let scalar = self.scalar_of(operand_type);
            self.demand(&Operation::Compare { expr, op, scalar, operands: (left, right) }, span);
        }
        self.coerce(expr, ty, span)
    }

    /// `pointer + index` or `pointer - index`.
    fn step_by(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        pointer_type: CType,
        back: bool,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let element = rucc_types::pointee(&self.unit.unit.types, pointer_type);
        let value = match element {
            Some(element) if self.is_variable(element) => {
                self.variable_step(pointer, index, element, back, span)
            }
            _ => {
                let stride = self.pointee_stride(pointer);
                let index = if back { self.negated_index(index, span) } else { index };
                let own = self.type_of(pointer);
                let stepped = self.expr(ExprKind::PointerAdd { pointer, index, stride }, own, span);
                self.bounded(stepped, span)
            }
        };
        self.coerce(value, ty, span)
    }

    fn pointee_stride(&self, pointer: ExprId) -> u64 {
        match *self.ir_type(self.type_of(pointer)) {
            Type::Pointer(element) => self.stride(element),
            _ => 1,
        }
    }

    fn negated_index(&mut self, index: ExprId, span: Span) -> ExprId {
        let ptrdiff = self.unit.known.ptrdiff;
        if let ExprKind::Int(value) = self.body.exprs[index].kind {
            return self.int_const(-value, ptrdiff, span);
        }
        let wide = self.coerce(index, ptrdiff, span);
        self.expr(ExprKind::Unary(UnaryOp::Neg, wide), ptrdiff, span)
    }

    /// Pointer arithmetic over elements whose size is known at run time only.
    pub(super) fn pointer_step(
        &mut self,
        pointer: ExprId,
        index: CExpr,
        element: CType,
        back: bool,
        span: Span,
    ) -> ExprId {
        let index = self.scalar(index);
        self.variable_step(pointer, index, element, back, span)
    }

    fn variable_step(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        element: CType,
        back: bool,
        span: Span,
    ) -> ExprId {
        let ptrdiff = self.unit.known.ptrdiff;
        let size = self.variable_size(element, span);
        let size = self.coerce(size, ptrdiff, span);
        let index = self.coerce(index, ptrdiff, span);
        let mut bytes = self.expr(ExprKind::Binary(BinaryOp::Mul, index, size), ptrdiff, span);
        if back {
            bytes = self.expr(ExprKind::Unary(UnaryOp::Neg, bytes), ptrdiff, span);
        }
        let own = self.type_of(pointer);
        self.expr(ExprKind::PointerAdd { pointer, index: bytes, stride: 1 }, own, span)
    }

    fn difference(
        &mut self,
        left: ExprId,
        right: ExprId,
        left_type: CType,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        self.demand(&Operation::PointerDifference(left, right), span);
        let ptrdiff = self.unit.known.ptrdiff;
        let element = rucc_types::pointee(&self.unit.unit.types, left_type);
        let right = self.coerce(right, self.type_of(left), span);
        let value = match element {
            Some(element) if self.is_variable(element) => {
                let bytes = self.expr(ExprKind::PointerDifference { left, right, stride: 1 }, ptrdiff, span);
                let size = self.variable_size(element, span);
                let size = self.coerce(size, ptrdiff, span);
                let expr = self.expr(ExprKind::Binary(BinaryOp::Div, bytes, size), ptrdiff, span);
                let scalar = self.scalar_of(ptrdiff);
                self.demand(&Operation::Arithmetic { expr, op: Some(BinaryOp::Div), scalar }, span);
                expr
            }
            // Elements of no size (GNU): gcc divides by zero; the difference is of no use to anyone.
            _ => {
                let stride = self.pointee_stride(left).max(1);
                self.expr(ExprKind::PointerDifference { left, right, stride }, ptrdiff, span)
            }
        };
        self.coerce(value, ty, span)
    }

    /// Bytes of a type, computed where it is variable.
    pub(super) fn variable_size(&mut self, ty: CType, span: Span) -> ExprId {
        let size_type = self.unit.known.size;
        match self.unit.kind(ty) {
            rucc_types::TypeKind::Array { elem, len } if self.is_variable(ty) => {
                let element = self.variable_size(elem, span);
                let count = match len {
                    rucc_types::ArrayLen::Variable(vla) => {
                        let size = self.tast.vla_size(vla);
                        let is_known = self.pinned.contains_key(&size);
                        let value = self.scalar(size);
                        let value = if is_known { value } else { self.demand_length(value, span) };
                        self.coerce(value, size_type, span)
                    }
                    rucc_types::ArrayLen::Fixed(n) => self.int_const(i128::from(n), size_type, span),
                    _ => self.int_const(0, size_type, span),
                };
                self.expr(ExprKind::Binary(BinaryOp::Mul, count, element), size_type, span)
            }
            _ => {
                let ty = self.unit.ty(ty);
                let bytes = self.unit.size_of(ty);
                self.int_const(i128::from(bytes), size_type, span)
            }
        }
    }

    pub(super) fn negate(&mut self, expr: CExpr, op: CUnary, operand: CExpr, span: Span) -> Value {
        if let Some(what) = self.opaque_reason(operand) {
            self.effect(operand);
            return self.no_value(expr, &what, span);
        }
        let ty = self.unit.ty(self.tast[expr].ty);
        let value = self.scalar(operand);
        let value = self.coerce(value, ty, span);
        if op == CUnary::BitNot {
            return Value::Scalar(self.expr(ExprKind::Unary(UnaryOp::Not, value), ty, span));
        }
        Value::Scalar(self.negate_value(value, span))
    }

    /// `-value` with its obligations.
    pub(super) fn negate_value(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        let constant = match self.body.exprs[value].kind {
            // A negative literal is no operation.
            ExprKind::Int(literal) => literal.checked_neg(),
            _ => None,
        };
        if let (Some(negated), Type::Int { bits, signed: true }) = (constant, self.ir_type(ty))
            && clew_base::int::IntType::signed(*bits).wrap(negated) == negated
        {
            return self.int_const(negated, ty, span);
        }
        let expr = self.expr(ExprKind::Unary(UnaryOp::Neg, value), ty, span);
        let scalar = self.scalar_of(ty);
        self.demand(&Operation::Arithmetic { expr, op: None, scalar }, span);
        expr
    }

    /// A conversion with its obligations.
    pub(super) fn convert_value(&mut self, value: ExprId, ty: TypeId, explicit: bool, span: Span) -> ExprId {
        let from_type = self.type_of(value);
        if from_type == ty {
            return value;
        }
        let (from, to) = (self.scalar_of(from_type), self.scalar_of(ty));
        if let Some(folded) = self.fold_conversion(value, to, ty, span) {
            return folded;
        }
        // Comparisons give an int that is 0 or 1 already.
        let expr = self.expr(ExprKind::Cast(value), ty, span);
        self.demand(&Operation::Convert { expr, from, to, explicit }, span);
        self.saturated(value, to, ty, span).unwrap_or(expr)
    }

    /// A float constant that does not fit an integer is undefined; gcc folds it to the nearest value that does, and so
    /// does a run that goes on after the finding.
    fn saturated(&mut self, value: ExprId, to: Scalar, ty: TypeId, span: Span) -> Option<ExprId> {
        let Scalar::Int { bits, signed } = to else { return None };
        let int = clew_base::int::IntType { bits, signed };
        let constant = self.float_constant(value)?;
        if constant.to_int(int).is_ok() {
            return None;
        }
        let nearest = match (constant.is_nan(), constant.to_f64() < 0.0) {
            (true, _) => 0,
            (false, true) => int.min(),
            (false, false) => int.max(),
        };
        Some(self.int_const(nearest, ty, span))
    }

    fn float_constant(&self, value: ExprId) -> Option<Float> {
        let node = &self.body.exprs[value];
        let Type::Float(format) = *self.ir_type(node.ty) else { return None };
        match node.kind {
            ExprKind::Float { bits, .. } => Some(Float::from_bits(format, bits)),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.float_constant(inner).map(|f| -f),
            ExprKind::Cast(inner) => {
                self.float_constant(inner).map(|f| f.convert(format, Rounding::NearestEven).0)
            }
            _ => None,
        }
    }

    /// Integer constants change type without an operation, as long as their value stays.
    fn fold_conversion(&mut self, value: ExprId, to: Scalar, ty: TypeId, span: Span) -> Option<ExprId> {
        let ExprKind::Int(constant) = self.body.exprs[value].kind else { return None };
        let fits = match to {
            Scalar::Int { bits, signed } => {
                let int = clew_base::int::IntType { bits, signed };
                int.wrap(constant) == constant && (bits < 128 || constant >= 0)
            }
            Scalar::Bool => constant == 0 || constant == 1,
            Scalar::Pointer => constant == 0,
            Scalar::Float(_) => return None,
        };
        // A pointer constant keeps its own type's meaning.
        let integral =
            !matches!(self.scalar_of(self.type_of(value)), Scalar::Pointer) || to == Scalar::Pointer;
        (fits && integral).then(|| self.int_const(constant, ty, span))
    }

    /// The one of a scalar type.
    pub(super) fn one(&mut self, ty: TypeId, span: Span) -> ExprId {
        match *self.ir_type(ty) {
            Type::Float(format) => {
                let bits = one_bits(format);
                self.expr(ExprKind::Float { bits, text: None }, ty, span)
            }
            _ => self.int_const(1, ty, span),
        }
    }
}

/// Two values with the types C gave them.
pub(super) struct Operands {
    pub(super) left: (ExprId, CType),
    pub(super) right: (ExprId, CType),
}

fn one_bits(format: Format) -> u128 {
    match format {
        Format::F16 => 0x3c00,
        Format::F32 => u128::from(1f32.to_bits()),
        Format::F64 => u128::from(1f64.to_bits()),
        Format::X87 => 0x3fff_8000_0000_0000_0000,
        Format::F128 => 0x3fff << 112,
    }
}

/// Whether the text of a comparison is one call of `__builtin_isless` or its kin, and nothing more. A text with quotes
/// may have parentheses that are none, and counts as an operator.
fn is_quiet_comparison(text: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] =
        [b"__builtin_isless", b"__builtin_islessequal", b"__builtin_isgreater", b"__builtin_isgreaterequal"];
    let Some(open) = text.iter().position(|b| *b == b'(') else { return false };
    if !NAMES.contains(&text[..open].trim_ascii_end()) || text.iter().any(|b| matches!(b, b'"' | b'\'')) {
        return false;
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}

/// Whether the operands may change places.
pub(super) fn commutes(op: CBinary) -> bool {
    matches!(op, CBinary::Add | CBinary::Mul | CBinary::BitAnd | CBinary::BitOr | CBinary::BitXor)
}

fn compare_op(op: CBinary) -> Option<CompareOp> {
    Some(match op {
        CBinary::Lt => CompareOp::Lt,
        CBinary::Gt => CompareOp::Gt,
        CBinary::Le => CompareOp::Le,
        CBinary::Ge => CompareOp::Ge,
        CBinary::Eq => CompareOp::Eq,
        CBinary::Ne => CompareOp::Ne,
        _ => return None,
    })
}

fn arithmetic_op(op: CBinary) -> Option<BinaryOp> {
    Some(match op {
        CBinary::Mul => BinaryOp::Mul,
        CBinary::Div => BinaryOp::Div,
        CBinary::Rem => BinaryOp::Rem,
        CBinary::Add => BinaryOp::Add,
        CBinary::Sub => BinaryOp::Sub,
        CBinary::Shl => BinaryOp::Shl,
        CBinary::Shr => BinaryOp::Shr,
        CBinary::BitAnd => BinaryOp::And,
        CBinary::BitXor => BinaryOp::Xor,
        CBinary::BitOr => BinaryOp::Or,
        _ => return None,
    })
}
