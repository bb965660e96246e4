// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads, stores and copies, with their obligations.

use clew_base::source::Span;
use clew_checks::operation::{Access, AccessMode, Operation};
use clew_ir::syntax::{
    AccessFlags, CompareOp, ExprId, ExprKind, Place, PlaceBase, Projection, StatementKind, Type,
};

use super::build::FunctionLowering;
use super::expr::Value;
use super::place::{Lvalue, Object};

impl FunctionLowering<'_, '_> {
    /// The value of an lvalue. `copies`: it only travels on, uninitialised bits and all.
    pub(super) fn read(&mut self, lvalue: Lvalue, copies: bool, span: Span) -> Value {
        match lvalue {
            Lvalue::Register(local) => {
                self.effects.local(local, false);
                if self.suspicious.contains(&local) {
                    self.demand(&Operation::ReadLocal(local), span);
                }
                Value::Scalar(self.local_value(local, span))
            }
            Lvalue::Memory(object) => {
                if self.unit.is_aggregate(object.place.ty) {
                    return Value::Object(object);
                }
                if matches!(self.ir_type(object.place.ty), Type::Function { .. } | Type::Void) {
                    return self.address_value(&object, span);
                }
                Value::Scalar(self.load(object, copies, span))
            }
        }
    }

    /// A function used as a value is its address; `*p` of a `void *` is nothing.
    fn address_value(&mut self, object: &Object, span: Span) -> Value {
        if matches!(self.ir_type(object.place.ty), Type::Void) {
            return Value::None;
        }
        let ty = self.unit.types.table.pointer(object.place.ty);
        Value::Scalar(self.address(object, ty, span))
    }

    pub(super) fn load(&mut self, object: Object, copies: bool, span: Span) -> ExprId {
        let ty = object.place.ty;
        let local = self.temporary(ty, span);
        self.effects.memory(&object.place, false);
        let copies = copies && self.is_character(ty);
        self.demand_read(&object, !copies, span);
        let flags = AccessFlags { volatile: object.volatile, atomic: object.atomic, copies };
        if matches!(self.ir_type(ty), Type::Bool) && !object.volatile {
            self.demand_bool(&object.place, span);
        }
        self.emit(StatementKind::Load { local, place: Box::new(object.place), flags }, span);
        self.local_value(local, span)
    }

    /// The byte of a `_Bool` that is read is 0 or 1. A bit-field has one bit.
    fn demand_bool(&mut self, place: &Place, span: Span) {
        let view = self.unit.types.table.view(&self.unit.target);
        if view.bit_range(place).is_some() {
            return;
        }
        let ty = self.unit.types.table.int(8, false);
        let local = self.temporary(ty, span);
        let flags = AccessFlags { volatile: false, atomic: false, copies: true };
        let place = Box::new(Place { ty, ..place.clone() });
        self.emit(StatementKind::Load { local, place, flags }, span);
        let int = self.unit.known.int;
        let value = self.local_value(local, span);
        let byte = self.coerce(value, int, span);
        let one = self.int_const(1, int, span);
        let at_most_one = self.expr(ExprKind::Compare(CompareOp::Le, byte, one), int, span);
        self.demand(&Operation::ReadBool(at_most_one), span);
    }

    fn is_character(&self, ty: clew_ir::syntax::TypeId) -> bool {
        matches!(self.ir_type(ty), Type::Int { bits: 8, .. })
    }

    /// The obligations of reading an object.
    pub(super) fn demand_read(&mut self, object: &Object, reads_value: bool, span: Span) {
        self.demand_access(object, AccessMode::Read, reads_value, span);
    }

    /// The obligations of writing an object.
    pub(super) fn demand_write(&mut self, object: &Object, span: Span) {
        self.demand_access(object, AccessMode::Write, false, span);
    }

    fn demand_access(&mut self, object: &Object, mode: AccessMode, reads_value: bool, span: Span) {
        let view = self.unit.types.table.view(&self.unit.target);
        let bits = view.bit_range(&object.place);
        // A bit-field is read by bytes.
        let align =
            if bits.is_some() { 1 } else { self.access_align(&object.place).min(object.promised_align) };
        let within = self.record_around(object, align);
        let access = Access {
            place: &object.place,
            within: within.as_ref().map(|(place, align)| (place, *align)),
            pointer: object.pointer(),
            mode,
            align,
            known_align: object.known_align,
            bits,
            reads_value,
            is_static: object.is_static,
            is_const: object.is_const,
            surely_inside: object.surely_inside,
        };
        self.demand(&Operation::Access(access), span);
    }

    /// `p->x` also says that a whole record lies at `p`, which may ask for more than its member.
    fn record_around(&mut self, object: &Object, align: u32) -> Option<(Place, u32)> {
        let pointer = object.pointer()?;
        let Some(Projection::Field { record, .. }) = object.place.projections.first() else { return None };
        let asked = self.unit.types.table.records()[*record].align.min(object.promised_align);
        let ty = self.unit.types.table.record(*record);
        let place = Place { base: PlaceBase::Deref(pointer), projections: Vec::new(), ty };
        (asked > align).then_some((place, asked))
    }

    /// The alignment an access needs: the type's, unless it goes through a packed record, which promises less.
    fn access_align(&self, place: &Place) -> u32 {
        let view = self.unit.types.table.view(&self.unit.target);
        let own = view.align_of(place.ty);
        let mut promised = u32::MAX;
        for step in &place.projections {
            if let clew_ir::syntax::Projection::Field { record, field } = step {
                let record = &self.unit.types.table.records()[*record];
                let offset = record.fields[*field as usize].offset;
                let at = if offset == 0 { u32::MAX } else { 1 << offset.trailing_zeros().min(30) };
                promised = promised.min(record.align.min(at));
            }
        }
        own.min(promised)
    }

    /// Stores a scalar with its obligations.
    pub(super) fn store(&mut self, object: Object, value: ExprId, span: Span) {
        let value = self.coerce(value, object.place.ty, span);
        self.demand_write(&object, span);
        let flags = AccessFlags { volatile: object.volatile, atomic: object.atomic, copies: false };
        self.emit(StatementKind::Store { place: Box::new(object.place), value, flags }, span);
    }

    /// Stores into an object that lowering made itself, or gives one its first value.
    pub(super) fn store_unchecked(&mut self, place: Place, value: ExprId, span: Span) {
        let value = self.coerce(value, place.ty, span);
        self.emit(
            StatementKind::Store { place: Box::new(place), value, flags: AccessFlags::default() },
            span,
        );
    }

    /// Copies a record with its obligations.
    pub(super) fn copy_object(&mut self, to: Object, from: Object, span: Span) {
        if self.unit.size_of(to.place.ty) == 0 {
            return;
        }
        self.demand_read(&from, false, span);
        self.demand_write(&to, span);
        self.demand_apart(&to.place, &from.place, span);
        let flags = AccessFlags { volatile: to.volatile || from.volatile, ..AccessFlags::default() };
        let mut from = from.place;
        from.ty = to.place.ty;
        self.emit(StatementKind::Copy { to: Box::new(to.place), from: Box::new(from), flags }, span);
    }
}
