// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assignments, increments and decrements.

use clew_base::source::Span;
use clew_ir::syntax::{ExprId, LocalId, StatementKind, Storage, Type, TypeId};
use rucc_ast::BinaryOp as CBinary;
use rucc_sema::{Conversion, ExprKind as C};

use super::arithmetic::Operands;
use super::build::{CExpr, FunctionLowering};
use super::expr::Value;
use super::place::{Lvalue, Object};
use super::types::CType;

impl FunctionLowering<'_, '_> {
    pub(super) fn assign(
        &mut self,
        expr: CExpr,
        op: Option<CBinary>,
        computation: CType,
        lhs: CExpr,
        rhs: CExpr,
        span: Span,
    ) -> Value {
        let ty = self.unit.ty(self.tast[expr].ty);
        match op {
            _ if matches!(self.ir_type(ty), Type::Opaque { .. }) => {
                self.assign_opaque(expr, op, lhs, rhs, span)
            }
            Some(op) => self.compound(op, computation, lhs, rhs, span),
            None if self.unit.is_aggregate(ty) => self.assign_object(lhs, rhs, span),
            None => self.assign_scalar(lhs, rhs, span),
        }
    }

    /// Opaque values can be copied; nothing can be computed with them.
    fn assign_opaque(
        &mut self,
        expr: CExpr,
        op: Option<CBinary>,
        lhs: CExpr,
        rhs: CExpr,
        span: Span,
    ) -> Value {
        if op.is_none() {
            return self.assign_object(lhs, rhs, span);
        }
        self.effect(rhs);
        self.no_value(expr, "an operator on this type", span)
    }

    fn assign_scalar(&mut self, lhs: CExpr, rhs: CExpr, span: Span) -> Value {
        let mark = self.effects.mark();
        let (lvalue, middle, value);
        if self.assigns_call(rhs) {
            lvalue = self.lvalue(lhs);
            middle = self.effects.mark();
            value = self.scalar(rhs);
        } else {
            let to_memory = !self.is_register(lhs);
            value = self.assigned_value(to_memory, rhs);
            middle = self.effects.mark();
            lvalue = self.lvalue(lhs);
        }
        self.check_unsequenced(mark, middle, span);
        Value::Scalar(self.write(lvalue, value, mark, span))
    }

    /// gcc evaluates the place first only where the value is a bare call.
    fn assigns_call(&self, rhs: CExpr) -> bool {
        matches!(self.tast[self.strip_conversions(rhs)].kind, C::Call { .. })
    }

    fn is_register(&self, expr: CExpr) -> bool {
        let C::Decl(decl) = self.tast[expr].kind else { return false };
        let local = self.locals.get(&decl);
        local.is_some_and(|local| self.body.locals[*local].storage == Storage::Register)
    }

    /// The right side. A character copied from memory to memory takes its uninitialised bits along.
    fn assigned_value(&mut self, to_memory: bool, rhs: CExpr) -> ExprId {
        let C::Convert { kind: Conversion::Lvalue, operand } = self.tast[rhs].kind else {
            return self.scalar(rhs);
        };
        if !to_memory || self.pinned.contains_key(&rhs) {
            return self.scalar(rhs);
        }
        let span = self.span_of(rhs);
        let lvalue = self.lvalue(operand);
        match self.read(lvalue, true, span) {
            Value::Scalar(value) => value,
            Value::Object(_) | Value::None => {
                self.unsupported("a value of this type", span);
                self.zero(self.unit.known.int, span)
            }
        }
    }

    fn assign_object(&mut self, lhs: CExpr, rhs: CExpr, span: Span) -> Value {
        let mark = self.effects.mark();
        let (to, middle, from);
        if self.assigns_call(rhs) {
            to = self.object_of(lhs);
            middle = self.effects.mark();
            from = self.object_of(rhs);
        } else {
            from = self.object_of(rhs);
            middle = self.effects.mark();
            to = self.object_of(lhs);
        }
        self.check_unsequenced(mark, middle, span);
        self.copy_object(to.clone(), from, span);
        self.effects.memory(&to.place, true);
        self.check_own_effect(mark, span);
        Value::Object(to)
    }

    /// Writes a scalar and gives the value of the assignment: what the place now holds.
    fn write(&mut self, lvalue: Lvalue, value: ExprId, mark: usize, span: Span) -> ExprId {
        match lvalue {
            Lvalue::Register(local) => {
                self.effects.local(local, true);
                self.check_own_effect(mark, span);
                self.set_local(local, value, span)
            }
            Lvalue::Memory(object) => {
                self.effects.memory(&object.place, true);
                self.check_own_effect(mark, span);
                let value = self.coerce(value, object.place.ty, span);
                let kept = self.as_stored(&object, value, span);
                self.store(object, value, span);
                kept
            }
        }
    }

    fn set_local(&mut self, local: LocalId, value: ExprId, span: Span) -> ExprId {
        let ty = self.body.locals[local].ty;
        let value = self.coerce(value, ty, span);
        self.emit(StatementKind::Assign { local, value }, span);
        self.local_value(local, span)
    }

    /// A bit-field keeps only its own bits of a value.
    fn as_stored(&mut self, object: &Object, value: ExprId, span: Span) -> ExprId {
        let view = self.unit.types.table.view(&self.unit.target);
        let Some(bits) = view.bit_range(&object.place) else { return value };
        let ty = object.place.ty;
        let Type::Int { signed, .. } = *self.ir_type(ty) else { return value };
        let narrow = self.unit.types.table.int(u16::from(bits.width), signed);
        let cut = self.coerce(value, narrow, span);
        self.coerce(cut, ty, span)
    }

    fn compound(&mut self, op: CBinary, computation: CType, lhs: CExpr, rhs: CExpr, span: Span) -> Value {
        let mark = self.effects.mark();
        let right = self.scalar(rhs);
        // gcc evaluates a right side with effects once, before it reads the left.
        let right = if self.unit.scan.has_effects(rhs) { self.keep(right, span) } else { right };
        let middle = self.effects.mark();
        let lvalue = self.lvalue(lhs);
        let Value::Scalar(old) = self.read(lvalue.clone(), false, span) else {
            self.unsupported("an operator on this type", span);
            return Value::None;
        };
        self.check_unsequenced(mark, middle, span);
        let target = self.type_of(old);
        let pointer = matches!(self.ir_type(target), Type::Pointer(_));
        let wide = self.unit.ty(computation);
        let left = if pointer { old } else { self.convert_value(old, wide, false, span) };
        let operands = Operands { left: (left, self.tast[lhs].ty), right: (right, self.tast[rhs].ty) };
        let result = self.operate(op, operands, if pointer { target } else { wide }, span);
        let result = self.convert_value(result, target, false, span);
        Value::Scalar(self.write(lvalue, result, mark, span))
    }

    /// `++` and `--`: the old value (`post`) or the new one.
    pub(super) fn increment(&mut self, operand: CExpr, by: i128, post: bool, span: Span) -> Value {
        let mark = self.effects.mark();
        let lvalue = self.lvalue(operand);
        let Value::Scalar(old) = self.read(lvalue.clone(), false, span) else {
            self.unsupported("an operator on this type", span);
            return Value::None;
        };
        let old = if post { self.keep_if_register(&lvalue, old, span) } else { old };
        let ty = self.type_of(old);
        let new = self.stepped(old, by, operand, ty, span);
        let new = self.write(lvalue, new, mark, span);
        Value::Scalar(if post { old } else { new })
    }

    /// The old value of a register must be kept: the register is about to change.
    fn keep_if_register(&mut self, lvalue: &Lvalue, value: ExprId, span: Span) -> ExprId {
        match lvalue {
            Lvalue::Register(_) => self.keep(value, span),
            Lvalue::Memory(_) => value,
        }
    }

    fn stepped(&mut self, old: ExprId, by: i128, operand: CExpr, ty: TypeId, span: Span) -> ExprId {
        let op = if by > 0 { CBinary::Add } else { CBinary::Sub };
        let c_type = self.tast[operand].ty;
        match *self.ir_type(ty) {
            Type::Pointer(_) => {
                let one = self.int_const(1, self.unit.known.ptrdiff, span);
                let operands = Operands { left: (old, c_type), right: (one, c_type) };
                self.operate(op, operands, ty, span)
            }
            // Narrow integers are computed in int, which cannot overflow, and converted back.
            Type::Bool => self.stepped_in(self.unit.known.int, old, op, c_type, ty, span),
            Type::Int { bits, .. } if bits < u16::from(self.unit.target.int_bits) => {
                self.stepped_in(self.unit.known.int, old, op, c_type, ty, span)
            }
            _ => self.stepped_in(ty, old, op, c_type, ty, span),
        }
    }

    fn stepped_in(
        &mut self,
        wide: TypeId,
        old: ExprId,
        op: CBinary,
        c_type: CType,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let left = self.coerce(old, wide, span);
        let one = self.one(wide, span);
        let operands = Operands { left: (left, c_type), right: (one, c_type) };
        let result = self.operate(op, operands, wide, span);
        self.convert_value(result, ty, false, span)
    }

    /// Writes through a pointer value, as builtins do.
    pub(super) fn store_through(&mut self, pointer: ExprId, value: ExprId, span: Span) {
        let Type::Pointer(pointee) = *self.ir_type(self.type_of(pointer)) else { return };
        let object = super::place::deref(pointer, pointee);
        self.effects.memory(&object.place, true);
        self.store(object, value, span);
    }
}
