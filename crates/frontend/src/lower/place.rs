// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lvalues: which object, and which part of it.

use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{
    CompareOp, ExprId, ExprKind, Local, LocalId, Place, PlaceBase, Projection, Storage, Type, TypeId,
    UnorderedMarker,
};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Category, Conversion, DeclId, ExprKind as C};
use rucc_types::{ArrayLen, TypeKind};

use super::build::{CExpr, FunctionLowering};
use super::entity::Entity;
use super::expr::Value;
use super::scope::ScopeLocal;

/// What an lvalue names.
#[derive(Clone, Debug)]
pub(super) enum Lvalue {
    Register(LocalId),
    Memory(Object),
}

/// A place in memory and what lowering knows of it beyond its type.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) place: Place,
    pub(super) volatile: bool,
    pub(super) atomic: bool,
    /// Alignment of the place; 0 where it starts at a pointer.
    pub(super) known_align: u32,
    /// What the types on the way promise at most: `typedef int __attribute__((aligned(1))) any_int`.
    pub(super) promised_align: u32,
    pub(super) is_static: bool,
    pub(super) is_const: bool,
    /// All steps are constant or checked: inside a named object.
    pub(super) surely_inside: bool,
}

impl Object {
    pub(super) fn pointer(&self) -> Option<ExprId> {
        match self.place.base {
            PlaceBase::Deref(pointer) => Some(pointer),
            PlaceBase::Local(_) | PlaceBase::Global(_) => None,
        }
    }
}

impl FunctionLowering<'_, '_> {
    pub(super) fn lvalue(&mut self, expr: CExpr) -> Lvalue {
        let node = self.tast[expr];
        let mut lvalue = match node.kind {
            C::Decl(decl) => self.variable(decl),
            C::CompoundLiteral(decl) => self.compound_literal(decl),
            _ => Lvalue::Memory(self.object_of(expr)),
        };
        if let Lvalue::Memory(object) = &mut lvalue {
            object.volatile |= self.unit.is_volatile(node.ty);
            object.atomic |= rucc_types::is_atomic(&self.unit.unit.types, node.ty);
        }
        lvalue
    }

    fn variable(&mut self, decl: DeclId) -> Lvalue {
        if let Some(&local) = self.locals.get(&decl) {
            return self.local_lvalue(local);
        }
        if Self::is_automatic(&self.tast[decl]) {
            // Of an enclosing function, or declared on a path that was not lowered.
            let local = self.declare(decl);
            return self.local_lvalue(local);
        }
        match self.unit.entity(decl) {
            Entity::Global(global) => {
                let mut object = self.global_object(global);
                object.is_static &= self.holds_numbers(object.place.ty);
                Lvalue::Memory(object)
            }
            Entity::Function(function) => {
                let span = self.unit.decl_span(decl);
                let ty = self.unit.functions[function].ty;
                let pointer = self.unit.types.table.pointer(ty);
                let address = self.expr(ExprKind::Function(function), pointer, span);
                Lvalue::Memory(deref(address, ty))
            }
        }
    }

    /// Whether what is assigned to a static object, which begins with zeros, has been used as a value before: numbers
    /// have. Records and characters are copied as they are. Where pointers lead to one, linking asks (`unwritten.rs`).
    fn holds_numbers(&self, ty: TypeId) -> bool {
        match *self.ir_type(ty) {
            Type::Array { element, .. } => self.holds_numbers(element),
            Type::Int { bits, .. } => bits > 8,
            Type::Bool | Type::Float(_) | Type::Pointer(_) => true,
            _ => false,
        }
    }

    pub(super) fn global_object(&self, global: clew_ir::syntax::GlobalId) -> Object {
        let known = &self.unit.globals[global];
        Object {
            place: Place { base: PlaceBase::Global(global), projections: Vec::new(), ty: known.ty },
            volatile: false,
            atomic: false,
            known_align: known.align,
            promised_align: u32::MAX,
            is_static: true,
            is_const: known.is_const,
            surely_inside: true,
        }
    }

    fn local_lvalue(&self, local: LocalId) -> Lvalue {
        match self.body.locals[local].storage {
            Storage::Register => Lvalue::Register(local),
            Storage::Memory { .. } => Lvalue::Memory(self.local_object_of(local)),
        }
    }

    pub(super) fn local_object_of(&self, local: LocalId) -> Object {
        let (align, is_const) = match self.body.locals[local].storage {
            Storage::Memory { align, is_const } => (align, is_const),
            Storage::Register => (1, false),
        };
        Object {
            place: self.local_place(local),
            volatile: false,
            atomic: false,
            known_align: align,
            promised_align: u32::MAX,
            is_static: false,
            is_const,
            // A variable-length array's size is known at run time only.
            surely_inside: !matches!(
                self.ir_type(self.body.locals[local].ty),
                Type::Array { length: None, .. }
            ),
        }
    }

    pub(super) fn local_place(&self, local: LocalId) -> Place {
        Place { base: PlaceBase::Local(local), projections: Vec::new(), ty: self.body.locals[local].ty }
    }

    /// An unnamed object in memory that lives until the full expression ends, or the scope where nobody waits for that.
    pub(super) fn memory_temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let align = self.unit.types.table.view(&self.unit.target).align_of(ty);
        let storage = Storage::Memory { align, is_const: false };
        let local = self.body.locals.push(Local { name: None, ty, storage, span });
        let scope = self.scope;
        self.scopes[scope].locals.push(ScopeLocal { local, variable: true, cleanup: None });
        self.temporaries.push(local);
        self.begin_storage(local, span);
        self.local_place(local)
    }

    /// The object that an expression of record or array type is, or that an lvalue in memory names.
    pub(super) fn object_of(&mut self, expr: CExpr) -> Object {
        let mut object = self.object_at(expr);
        if let Some(align) = self.unit.unit.types.align_override(self.tast[expr].ty) {
            object.promised_align = object.promised_align.min(align.get());
        }
        object
    }

    fn object_at(&mut self, expr: CExpr) -> Object {
        let node = self.tast[expr];
        let span = self.span_of(expr);
        match node.kind {
            C::Decl(_) | C::CompoundLiteral(_) => match self.lvalue(expr) {
                Lvalue::Memory(object) => object,
                Lvalue::Register(local) => self.spill(local, span),
            },
            C::Str(string) => {
                let global = self.unit.string_literal(string, node.ty, span);
                self.global_object(global)
            }
            C::Member { base, field } => self.member(base, field, node.ty, span),
            C::Subscript { base, index } => self.subscript(base, index, false, span),
            C::Unary { op: UnaryOp::Deref, operand } => self.dereference(operand, node.ty, span),
            C::Unary { op: UnaryOp::Real | UnaryOp::Imag, .. } => {
                self.unsupported("complex numbers", span);
                self.stand_in(node.ty, span)
            }
            C::Convert { kind: Conversion::Lvalue, operand } => self.object_of(operand),
            C::Convert { operand, .. } | C::Cast(operand) if self.is_aggregate_expr(operand) => {
                self.object_of(operand)
            }
            C::Comma { lhs, rhs } => {
                self.sequenced_before(expr, lhs);
                self.object_of(rhs)
            }
            _ if node.category == Category::Rvalue => self.materialise(expr, span),
            _ => {
                self.unsupported("this kind of place", span);
                self.stand_in(node.ty, span)
            }
        }
    }

    /// An object for a place that cannot be computed.
    pub(super) fn stand_in(&mut self, ty: super::types::CType, span: Span) -> Object {
        let ty = self.unit.ty(ty);
        let ty = match *self.ir_type(ty) {
            Type::Array { element, length: None } => self.unit.types.table.array(element, Some(0)),
            _ => ty,
        };
        named(self.memory_temporary(ty, span))
    }

    /// Whether a place lies in an object without a name.
    pub(super) fn is_own_temporary(&self, place: &Place) -> bool {
        matches!(place.base, PlaceBase::Local(local) if self.body.locals[local].name.is_none())
    }

    fn is_aggregate_expr(&mut self, expr: CExpr) -> bool {
        let ty = self.unit.ty(self.tast[expr].ty);
        self.unit.is_aggregate(ty)
    }

    fn spill(&mut self, local: LocalId, span: Span) -> Object {
        let ty = self.body.locals[local].ty;
        let place = self.memory_temporary(ty, span);
        let value = self.local_value(local, span);
        self.store_unchecked(place.clone(), value, span);
        named(place)
    }

    /// A value of record type, put into memory.
    fn materialise(&mut self, expr: CExpr, span: Span) -> Object {
        match self.rvalue(expr) {
            Value::Object(object) => object,
            Value::Scalar(value) => {
                let place = self.memory_temporary(self.type_of(value), span);
                self.store_unchecked(place.clone(), value, span);
                named(place)
            }
            Value::None => self.stand_in(self.tast[expr].ty, span),
        }
    }

    fn member(&mut self, base: CExpr, number: u32, member_type: super::types::CType, span: Span) -> Object {
        let base_type = self.tast[base].ty;
        let mut object = self.object_of(base);
        object.volatile |= self.unit.is_volatile(base_type);
        let types = &self.unit.unit.types;
        if let TypeKind::Record(id) = self.unit.kind(base_type) {
            let info = types.record_info(id);
            if info.reverse {
                self.unsupported("`scalar_storage_order` of the other byte order", span);
            } else if info.variable.is_some() {
                self.unsupported("variable-length arrays inside structs", span);
            }
        }
        let Some((record, field)) = self.unit.field(base_type, number) else {
            // Said above: a member of a struct whose layout is known at run time only.
            return self.stand_in(member_type, span);
        };
        let member = &self.unit.types.table.records()[record].fields[field as usize];
        object.place.ty = member.ty;
        object.known_align = common_align(object.known_align, member.offset);
        object.place.projections.push(Projection::Field { record, field });
        object
    }

    /// `base[index]`; with `address_only`, one past the end is allowed.
    pub(super) fn subscript(&mut self, base: CExpr, index: CExpr, address_only: bool, span: Span) -> Object {
        let element = rucc_types::pointee(&self.unit.unit.types, self.tast[base].ty);
        let left = self.effects.mark();
        if let Some(what) = self.opaque_reason(base) {
            // A lane of a vector.
            self.unsupported(&what, span);
            return self.lane_of(base, span);
        }
        if let Some(element) = element
            && self.is_variable(element)
        {
            let pointer = self.scalar(base);
            let pointer = self.pointer_step(pointer, index, element, false, span);
            let ty = self.unit.ty(element);
            return deref(pointer, ty);
        }
        let region = self.begin_unordered(&[base, index], span);
        if let C::Convert { kind: Conversion::ArrayDecay, operand: array } = self.tast[base].kind {
            let object = self.object_of(array);
            let right = self.effects.mark();
            self.unordered(region, UnorderedMarker::Next, span);
            let index_value = self.scalar(index);
            self.unordered(region, UnorderedMarker::End, span);
            self.check_unsequenced(left, right, span);
            return self.element(object, self.tast[array].ty, index_value, address_only, span);
        }
        let pointer = self.scalar(base);
        let right = self.effects.mark();
        self.unordered(region, UnorderedMarker::Next, span);
        let index_value = self.scalar(index);
        self.unordered(region, UnorderedMarker::End, span);
        self.check_unsequenced(left, right, span);
        self.pointed_element(pointer, index_value)
    }

    fn lane_of(&mut self, vector: CExpr, span: Span) -> Object {
        match self.unit.kind(self.tast[vector].ty) {
            TypeKind::Vector { elem, .. } => self.stand_in(elem, span),
            _ => self.object_of(vector),
        }
    }

    /// `pointer[index]` without a declared array.
    fn pointed_element(&mut self, pointer: ExprId, index: ExprId) -> Object {
        let Type::Pointer(element) = *self.ir_type(self.type_of(pointer)) else {
            let ty = self.unit.known.char;
            return deref(pointer, ty);
        };
        let stride = self.stride(element);
        let mut object = deref(pointer, element);
        if !matches!(self.body.exprs[index].kind, ExprKind::Int(0)) {
            object.place.projections.push(Projection::Index { index, stride, length: None });
        }
        object
    }

    /// An element of an array that is itself a place.
    fn element(
        &mut self,
        mut object: Object,
        array: super::types::CType,
        index: ExprId,
        address_only: bool,
        span: Span,
    ) -> Object {
        let TypeKind::Array { elem, len } = self.unit.kind(array) else { return object };
        let element = self.unit.ty(elem);
        let stride = self.stride(element);
        let declared = match len {
            ArrayLen::Fixed(n) if n > 0 && !self.is_trailing(&object) => Some(n),
            ArrayLen::Fixed(n) if !self.is_last_member(&object) => Some(n),
            _ => None,
        };
        let constant = match self.body.exprs[index].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        let limit = declared.map(|n| n + u64::from(address_only));
        let inside = matches!((constant, limit), (Some(i), Some(n)) if i >= 0 && i < i128::from(n));
        match declared {
            Some(length) if !inside => self.check_index(index, length, address_only, span),
            Some(_) => {}
            None => {
                // There may be more of it than was declared, but nothing before its start.
                self.check_not_negative(index, span);
                object.surely_inside = false;
            }
        }
        object.known_align = match constant {
            Some(i) => common_align(object.known_align, (i as u64).wrapping_mul(stride)),
            None => common_align(object.known_align, stride),
        };
        object.place.ty = element;
        object.place.projections.push(Projection::Index { index, stride, length: declared });
        object
    }

    fn check_index(&mut self, index: ExprId, length: u64, address_only: bool, span: Span) {
        let size = self.unit.known.size;
        let int = self.unit.known.int;
        // Extended by its own signedness: a negative index becomes huge.
        let index =
            if self.type_of(index) == size { index } else { self.expr(ExprKind::Cast(index), size, span) };
        let limit = self.int_const(i128::from(length), size, span);
        let op = if address_only { CompareOp::Le } else { CompareOp::Lt };
        let in_range = self.expr(ExprKind::Compare(op, index, limit), int, span);
        self.demand(&Operation::Index { in_range }, span);
    }

    fn check_not_negative(&mut self, index: ExprId, span: Span) {
        let ty = self.type_of(index);
        let is_constant = matches!(self.body.exprs[index].kind, ExprKind::Int(value) if value >= 0);
        if is_constant || !matches!(self.ir_type(ty), Type::Int { signed: true, .. }) {
            return;
        }
        let zero = self.zero(ty, span);
        let int = self.unit.known.int;
        let in_range = self.expr(ExprKind::Compare(CompareOp::Ge, index, zero), int, span);
        self.demand(&Operation::Index { in_range }, span);
    }

    /// The last member of a struct behind a pointer, which programs allocate more of than they declare. In a variable,
    /// or in an element of an array, there is no more of it.
    fn is_trailing(&self, object: &Object) -> bool {
        let place = &object.place;
        let indexed = place.projections.iter().any(|step| matches!(step, Projection::Index { .. }));
        matches!(place.base, PlaceBase::Deref(_)) && !indexed && self.is_last_member(object)
    }

    fn is_last_member(&self, object: &Object) -> bool {
        match object.place.projections.last() {
            Some(Projection::Field { record, field }) => {
                let record = &self.unit.types.table.records()[*record];
                record.is_union || *field as usize + 1 == record.fields.len()
            }
            _ => false,
        }
    }

    fn dereference(&mut self, operand: CExpr, ty: super::types::CType, span: Span) -> Object {
        // `*(p + i)` is `p[i]`.
        if let C::Binary { op: BinaryOp::Add, lhs, rhs } = self.tast[operand].kind
            && rucc_types::is_pointer(&self.unit.unit.types, self.tast[lhs].ty)
        {
            return self.subscript(lhs, rhs, false, span);
        }
        let pointer = self.scalar(operand);
        let ty = self.unit.ty(ty);
        deref(pointer, ty)
    }

    /// Bytes from one element to the next; `void` and functions count as one.
    pub(super) fn stride(&self, element: TypeId) -> u64 {
        match self.ir_type(element) {
            Type::Void | Type::Function { .. } => 1,
            _ => self.unit.size_of(element),
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, object: &Object, ty: TypeId, span: Span) -> ExprId {
        match object.place {
            Place { base: PlaceBase::Deref(pointer), ref projections, .. } if projections.is_empty() => {
                self.coerce(pointer, ty, span)
            }
            ref place => self.expr(ExprKind::AddressOf(Box::new(place.clone())), ty, span),
        }
    }
}

/// What a pointer points to.
pub(super) fn deref(pointer: ExprId, ty: TypeId) -> Object {
    Object {
        place: Place { base: PlaceBase::Deref(pointer), projections: Vec::new(), ty },
        volatile: false,
        atomic: false,
        known_align: 0,
        promised_align: u32::MAX,
        is_static: false,
        is_const: false,
        surely_inside: false,
    }
}

/// A whole object that lowering made itself.
pub(super) fn named(place: Place) -> Object {
    Object {
        place,
        volatile: false,
        atomic: false,
        known_align: u32::MAX,
        promised_align: u32::MAX,
        // Lowering wrote it before it reads it.
        is_static: true,
        is_const: false,
        surely_inside: true,
    }
}

/// What is known of the alignment `offset` bytes from an aligned address.
fn common_align(align: u32, offset: u64) -> u32 {
    if align == 0 || offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(30)) }
}
