// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assignments, increments and decrements.

use clew_base::source::Span;
use clew_ir::syntax::{ExprId, LocalId, Place, StatementKind, Storage, Type, TypeId, UnorderedMarker};
use rucc_ast::BinaryOp as CBinary;
use rucc_sema::{Conversion, ExprKind as C};

use super::arithmetic::Operands;
use super::build::{CExpr, FunctionLowering};
use super::call::Prepared;
use super::expr::Value;
use super::place::Lvalue;
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
        let region = self.begin_unordered(&[lhs, rhs], span);
        let (lvalue, middle, value);
        if let Some(call) = self.assigned_call(rhs) {
            let sequences = self.sequences(rhs);
            self.hoist(&sequences);
            let prepared = self.prepare_assigned(call);
            middle = self.effects.mark();
            self.unordered(region, UnorderedMarker::Next, span);
            lvalue = self.lvalue(lhs);
            self.unordered(region, UnorderedMarker::Back, span);
            value = match self.finish_call(prepared, true) {
                Value::Scalar(result) => self.around_pinned(rhs, call, result),
                Value::Object(_) | Value::None => self.zero(self.unit.known.int, span),
            };
        } else {
            let late = self.read_behind(lhs, rhs);
            let early = late.is_none().then(|| self.assigned_value(!self.is_register(lhs), rhs));
            middle = self.effects.mark();
            self.unordered(region, UnorderedMarker::Next, span);
            lvalue = self.lvalue(lhs);
            if late.is_some() {
                self.unordered(region, UnorderedMarker::Back, span);
            }
            value = match (early, late) {
                (Some(value), _) => value,
                (None, late) => self.late_value(rhs, late, span),
            };
        }
        self.unordered(region, UnorderedMarker::End, span);
        self.check_unsequenced(mark, middle, span);
        Value::Scalar(self.write(lvalue, value, mark, span))
    }

    /// Where the right side comes to a plain read, gcc finds the object, then the place to write, and reads only then.
    /// Here the object is found and its read noted, if that is so and the place to write has effects.
    fn read_behind(&mut self, lhs: CExpr, rhs: CExpr) -> Option<(CExpr, Lvalue)> {
        if !self.unit.scan.has_effects(lhs) || self.is_register(lhs) {
            return None;
        }
        let read = self.plain_read(rhs)?;
        let C::Convert { operand, .. } = self.tast[read].kind else { return None };
        let same = self.unit.ty(self.tast[rhs].ty) == self.unit.ty(self.tast[read].ty);
        if !same || self.pinned.contains_key(&read) {
            return None;
        }
        let sequences = self.sequences(rhs);
        self.hoist(&sequences);
        let lvalue = self.lvalue(operand);
        self.note_read(&lvalue);
        Some((read, lvalue))
    }

    /// The value of a right side whose object has been found before.
    fn late_value(&mut self, rhs: CExpr, late: Option<(CExpr, Lvalue)>, span: Span) -> ExprId {
        let Some((read, lvalue)) = late else { return self.zero(self.unit.known.int, span) };
        let at = self.span_of(read);
        let value = self.read_assigned(lvalue, at);
        self.around_pinned(rhs, read, value)
    }

    /// The value of an expression around a part that has been evaluated.
    fn around_pinned(&mut self, whole: CExpr, part: CExpr, value: ExprId) -> ExprId {
        if whole == part {
            return value;
        }
        self.pinned.insert(part, value);
        let whole = self.scalar(whole);
        self.pinned.remove(&part);
        whole
    }

    /// The call that the right side comes to: gcc evaluates its arguments, then the place to write, and then calls.
    fn assigned_call(&self, rhs: CExpr) -> Option<CExpr> {
        // What a sequence reads first is read before the arguments: such a right side is evaluated as a whole.
        let mut call = rhs;
        while let C::Convert { operand, .. } = self.tast[call].kind {
            call = operand;
        }
        let is_call = matches!(self.tast[call].kind, C::Call { .. });
        (is_call && !self.pinned.contains_key(&call)).then_some(call)
    }

    fn prepare_assigned(&mut self, call: CExpr) -> Prepared {
        match self.tast[call].kind {
            C::Call { callee, args } => self.prepare_call(call, callee, args),
            _ => Prepared::Done(Value::None),
        }
    }

    fn is_register(&self, expr: CExpr) -> bool {
        let C::Decl(decl) = self.tast[expr].kind else { return false };
        let local = self.locals.get(&decl);
        local.is_some_and(|local| self.body.locals[*local].storage == Storage::Register)
    }

    /// The right side. A character copied from memory to memory takes its uninitialised bits along.
    fn assigned_value(&mut self, to_memory: bool, rhs: CExpr) -> ExprId {
        match self.assigned_read(rhs) {
            Some(operand) if to_memory => {
                let span = self.span_of(rhs);
                let lvalue = self.lvalue(operand);
                self.read_assigned(lvalue, span)
            }
            _ => self.scalar(rhs),
        }
    }

    /// The lvalue that the right side does nothing but read.
    fn assigned_read(&self, rhs: CExpr) -> Option<CExpr> {
        match self.tast[rhs].kind {
            C::Convert { kind: Conversion::Lvalue, operand } if !self.pinned.contains_key(&rhs) => {
                Some(operand)
            }
            _ => None,
        }
    }

    fn read_assigned(&mut self, lvalue: Lvalue, span: Span) -> ExprId {
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
        let region = self.begin_unordered(&[lhs, rhs], span);
        let (to, middle, from);
        if let Some(call) = self.assigned_call(rhs).filter(|call| *call == rhs) {
            let prepared = self.prepare_assigned(call);
            middle = self.effects.mark();
            self.unordered(region, UnorderedMarker::Next, span);
            to = self.object_of(lhs);
            self.unordered(region, UnorderedMarker::Back, span);
            from = match self.finish_call(prepared, true) {
                Value::Object(object) => object,
                Value::Scalar(_) | Value::None => self.stand_in(self.tast[rhs].ty, span),
            };
        } else {
            from = self.object_of(rhs);
            middle = self.effects.mark();
            self.unordered(region, UnorderedMarker::Next, span);
            to = self.object_of(lhs);
        }
        self.unordered(region, UnorderedMarker::End, span);
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
                let kept = self.as_stored(&object.place, value, span);
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
    pub(super) fn as_stored(&mut self, place: &Place, value: ExprId, span: Span) -> ExprId {
        let view = self.unit.types.table.view(&self.unit.target);
        let Some(bits) = view.bit_range(place) else { return value };
        let ty = place.ty;
        let Type::Int { signed, .. } = *self.ir_type(ty) else { return value };
        let narrow = self.unit.types.table.int(u16::from(bits.width), signed);
        let cut = self.convert_value(value, narrow, false, span);
        self.coerce(cut, ty, span)
    }

    fn compound(&mut self, op: CBinary, computation: CType, lhs: CExpr, rhs: CExpr, span: Span) -> Value {
        let mark = self.effects.mark();
        // gcc evaluates a right side with effects once, before it reads the left; else the left comes first.
        let early = self.unit.scan.has_effects(rhs) || !self.unit.scan.has_effects(lhs);
        let region = self.begin_unordered(&[lhs, rhs], span);
        let mut right = early.then(|| self.scalar(rhs));
        if self.unit.scan.has_effects(rhs) {
            right = right.map(|right| self.keep(right, span));
        }
        let mut middle = self.effects.mark();
        self.unordered(region, UnorderedMarker::Next, span);
        let lvalue = self.lvalue(lhs);
        let Value::Scalar(old) = self.read(lvalue.clone(), false, span) else {
            self.unsupported("an operator on this type", span);
            return Value::None;
        };
        let right = match right {
            Some(right) => right,
            None => {
                middle = self.effects.mark();
                self.scalar(rhs)
            }
        };
        self.unordered(region, UnorderedMarker::End, span);
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
