// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variadic arguments and atomic operations.

use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{BinaryOp, CallResult, CompareOp, ExprId, ExprKind, Intrinsic, Type, TypeId, UnaryOp};
use rucc_sema::{AtomicOp, ExprKind as C, ExprList, Rmw};

use super::build::{CExpr, FunctionLowering};
use super::expr::Value;
use super::place::{Object, deref, named};

impl FunctionLowering<'_, '_> {
    pub(super) fn variadic(&mut self, expr: CExpr, span: Span) -> Value {
        match self.tast[expr].kind {
            C::VaStart { list } => self.va_operation(Intrinsic::VaStart, &[list], span),
            C::VaEnd { list } => self.va_operation(Intrinsic::VaEnd, &[list], span),
            C::VaCopy { dst, src } => self.va_operation(Intrinsic::VaCopy, &[dst, src], span),
            C::VaArg { list } => self.va_arg(expr, list, span),
            _ => Value::None,
        }
    }

    fn va_operation(&mut self, op: Intrinsic, lists: &[CExpr], span: Span) -> Value {
        let arguments = lists.iter().map(|l| self.scalar(*l)).collect();
        self.intrinsic(op, arguments, None, span);
        Value::None
    }

    fn va_arg(&mut self, expr: CExpr, list: CExpr, span: Span) -> Value {
        let ty = self.unit.ty(self.tast[expr].ty);
        let list = self.scalar(list);
        // Models ask for what the formats say that were asked about before.
        if self.unit.unit.names.find("__clew_require").is_none() {
            self.demand(&Operation::UnnamedArgument(list, ty), span);
        }
        if self.unit.is_aggregate(ty) {
            let place = self.memory_temporary(ty, span);
            self.intrinsic(Intrinsic::VaArg(ty), vec![list], Some(CallResult::Place(place.clone())), span);
            return Value::Object(named(place));
        }
        Value::Scalar(self.intrinsic_value(Intrinsic::VaArg(ty), vec![list], ty, span))
    }

    /// Atomic operations are ordinary accesses: programs are sequential.
    pub(super) fn atomic(
        &mut self,
        expr: CExpr,
        op: AtomicOp,
        args: ExprList,
        ty: TypeId,
        span: Span,
    ) -> Value {
        let args: Vec<CExpr> = self.tast[args].to_vec();
        // Flags are bytes, whatever struct the library wraps them in.
        let on_flag = matches!(op, AtomicOp::TestAndSet | AtomicOp::Store);
        let object = args.iter().skip(usize::from(on_flag)).any(|a| self.is_object_pointer(*a));
        if object {
            return self.no_value(expr, "atomic operations on structs", span);
        }
        let values: Vec<ExprId> = args.iter().map(|a| self.scalar(*a)).collect();
        match (op, values.as_slice()) {
            (AtomicOp::Fence | AtomicOp::SignalFence, _) => Value::None,
            (AtomicOp::Load, &[at, ..]) => Value::Scalar(self.atomic_load(at, ty, span)),
            (AtomicOp::LoadInto, &[at, into, ..]) => {
                let value = self.atomic_read(at, span);
                self.store_through(into, value, span);
                Value::None
            }
            (AtomicOp::Store, &[at, value, ..]) => {
                self.atomic_write(at, value, span);
                Value::None
            }
            (AtomicOp::Exchange, &[at, value, ..]) => {
                let old = self.atomic_read(at, span);
                self.atomic_write(at, value, span);
                Value::Scalar(self.coerce(old, ty, span))
            }
            (AtomicOp::ExchangeInto, &[at, value, into, ..]) => {
                let old = self.atomic_read(at, span);
                self.atomic_write(at, value, span);
                self.store_through(into, old, span);
                Value::None
            }
            (AtomicOp::TestAndSet, &[at, ..]) => Value::Scalar(self.test_and_set(at, ty, span)),
            (AtomicOp::Fetch(rmw), &[at, value, ..]) => {
                self.read_modify_write(rmw, at, value, false, ty, span)
            }
            (AtomicOp::Update(rmw), &[at, value, ..]) => {
                self.read_modify_write(rmw, at, value, true, ty, span)
            }
            (AtomicOp::CompareExchange, &[at, expected, new, ..]) => {
                let wanted = self.atomic_read(expected, span);
                let (found, equal) = self.swap_if_equal(at, wanted, new, span);
                let equal = self.keep(equal, span);
                // On failure what was found goes back to the caller's object.
                let back = self.expr(
                    ExprKind::Select { condition: equal, then: wanted, otherwise: found },
                    self.type_of(wanted),
                    span,
                );
                self.store_through(expected, back, span);
                Value::Scalar(self.coerce(equal, ty, span))
            }
            (AtomicOp::SwapBool, &[at, wanted, new, ..]) => {
                let (_, equal) = self.swap_if_equal(at, wanted, new, span);
                Value::Scalar(self.coerce(equal, ty, span))
            }
            (AtomicOp::SwapValue, &[at, wanted, new, ..]) => {
                let (found, _) = self.swap_if_equal(at, wanted, new, span);
                Value::Scalar(self.coerce(found, ty, span))
            }
            _ => self.no_value(expr, "this atomic operation", span),
        }
    }

    fn is_object_pointer(&mut self, expr: CExpr) -> bool {
        let ty = self.unit.ty(self.tast[expr].ty);
        match *self.ir_type(ty) {
            Type::Pointer(to) => self.unit.is_aggregate(to),
            _ => self.unit.is_aggregate(ty),
        }
    }

    fn atomic_object(&self, pointer: ExprId) -> Object {
        let pointee = match *self.ir_type(self.type_of(pointer)) {
            Type::Pointer(to) => to,
            _ => self.unit.known.int,
        };
        Object { atomic: true, ..deref(pointer, pointee) }
    }

    fn atomic_read(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let object = self.atomic_object(pointer);
        self.load(object, false, span)
    }

    fn atomic_load(&mut self, pointer: ExprId, ty: TypeId, span: Span) -> ExprId {
        let value = self.atomic_read(pointer, span);
        self.coerce(value, ty, span)
    }

    fn atomic_write(&mut self, pointer: ExprId, value: ExprId, span: Span) {
        let mut object = self.atomic_object(pointer);
        if !matches!(
            self.ir_type(object.place.ty),
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_)
        ) {
            let ty = self.type_of(value);
            let pointer_type = self.unit.types.table.pointer(ty);
            let pointer = self.coerce(pointer, pointer_type, span);
            object = self.atomic_object(pointer);
        }
        self.store(object, value, span);
    }

    fn test_and_set(&mut self, pointer: ExprId, ty: TypeId, span: Span) -> ExprId {
        let byte = self.unit.types.table.int(8, false);
        let byte_pointer = self.unit.types.table.pointer(byte);
        let pointer = self.coerce(pointer, byte_pointer, span);
        let old = self.atomic_read(pointer, span);
        let one = self.int_const(1, byte, span);
        self.atomic_write(pointer, one, span);
        let was_set = self.compare_with_zero(CompareOp::Ne, old, span);
        self.coerce(was_set, ty, span)
    }

    fn read_modify_write(
        &mut self,
        rmw: Rmw,
        at: ExprId,
        value: ExprId,
        after: bool,
        ty: TypeId,
        span: Span,
    ) -> Value {
        let old = self.atomic_read(at, span);
        let own = self.type_of(old);
        let new = match *self.ir_type(own) {
            // Pointers move by bytes here.
            Type::Pointer(_) => {
                let ptrdiff = self.unit.known.ptrdiff;
                let mut index = self.coerce(value, ptrdiff, span);
                if rmw == Rmw::Sub {
                    index = self.expr(ExprKind::Unary(UnaryOp::Neg, index), ptrdiff, span);
                }
                self.expr(ExprKind::PointerAdd { pointer: old, index, stride: 1 }, own, span)
            }
            _ => self.modified(rmw, old, value, own, span),
        };
        let new = self.keep(new, span);
        self.atomic_write(at, new, span);
        Value::Scalar(self.coerce(if after { new } else { old }, ty, span))
    }

    /// Atomic arithmetic wraps: no obligation.
    fn modified(&mut self, rmw: Rmw, old: ExprId, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        let value = self.coerce(value, ty, span);
        let op = match rmw {
            Rmw::Add => BinaryOp::Add,
            Rmw::Sub => BinaryOp::Sub,
            Rmw::And | Rmw::Nand => BinaryOp::And,
            Rmw::Or => BinaryOp::Or,
            Rmw::Xor => BinaryOp::Xor,
        };
        let new = self.expr(ExprKind::Binary(op, old, value), ty, span);
        if rmw == Rmw::Nand { self.expr(ExprKind::Unary(UnaryOp::Not, new), ty, span) } else { new }
    }

    /// What was found, and whether it was what was wanted (then the new value is there now).
    fn swap_if_equal(&mut self, at: ExprId, wanted: ExprId, new: ExprId, span: Span) -> (ExprId, ExprId) {
        let found = self.atomic_read(at, span);
        let ty = self.type_of(found);
        let wanted = self.coerce(wanted, ty, span);
        let new = self.coerce(new, ty, span);
        let int = self.unit.known.int;
        let equal = self.expr(ExprKind::Compare(CompareOp::Eq, found, wanted), int, span);
        let stored = self.expr(ExprKind::Select { condition: equal, then: new, otherwise: found }, ty, span);
        self.atomic_write(at, stored, span);
        (found, equal)
    }
}
