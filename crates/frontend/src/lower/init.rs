// SPDX-License-Identifier: MIT OR Apache-2.0
//! Initialisers of automatic objects, and compound literals.
//!
//! rucc flattens an initialiser to values at byte offsets, over an object that starts as zero. The offsets are led
//! back to members and elements, so that the IR speaks of fields again.

use clew_base::source::Span;
use clew_ir::syntax::{
    BitRange, ExprKind, LocalId, ObligationId, Place, PlaceBase, Projection, StatementKind, Storage, Type,
    TypeId, UnorderedMarker,
};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, ExprKind as C, InitEntry, InitList, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::{CExpr, FunctionLowering};
use super::entity::Entity;
use super::expr::Value;
use super::place::{Lvalue, named};
use super::scan::for_each_operand;

impl FunctionLowering<'_, '_> {
    /// `full`: each value is a full expression; those of a compound literal are parts of the expression around.
    pub(super) fn initialise(&mut self, local: LocalId, id: DeclId, init: InitList, full: bool, span: Span) {
        if self.unit.unit.unsure.contains(&id) {
            self.unsupported("these designators in an initialiser", span);
        }
        let entries: Vec<InitEntry> = self.tast[init].to_vec();
        let ty = self.body.locals[local].ty;
        if !self.unit.is_aggregate(ty) {
            return self.initialise_scalar(local, &entries, full, span);
        }
        let place = self.local_place(local);
        let whole = matches!(entries.as_slice(), [only] if self.is_whole(only, ty));
        if !whole {
            self.emit(StatementKind::Zero { place: Box::new(place.clone()) }, span);
        }
        let mut shared = repeated(&entries);
        // The values are evaluated in any order (6.7.9p23). Each is a part of a region, and so is all the writing.
        let values: Vec<CExpr> = entries.iter().map(|entry| entry.value).collect();
        let region = self.begin_unordered(&values, span);
        for entry in &entries {
            self.initialise_part(&place, entry, full, region, &mut shared);
        }
        self.unordered(region, UnorderedMarker::End, span);
    }

    /// Whether an initialiser reads the object that it is for (`int n = n + 1;`), which has no value yet.
    pub(super) fn reads_itself(&self, id: DeclId, init: InitList) -> bool {
        self.tast[init].iter().any(|entry| self.reads(entry.value, id, Use::Value))
    }

    fn reads(&self, expr: CExpr, object: DeclId, how: Use) -> bool {
        match self.tast[expr].kind {
            C::Decl(decl) => decl == object && how != Use::Address,
            C::Unary { op: UnaryOp::AddrOf, operand } => self.reads(operand, object, Use::Address),
            C::Unary { op: UnaryOp::Deref, operand } => self.reads(operand, object, Use::Through),
            C::Convert { kind: Conversion::ArrayDecay, operand } if how != Use::Through => {
                self.reads(operand, object, Use::Address)
            }
            C::Member { base, .. } => self.reads(base, object, how),
            // Who is handed its address may read it.
            C::Call { .. } => self.mentions(expr, object),
            C::Subscript { base, index } => {
                let through = if how == Use::Address { Use::Address } else { Use::Through };
                self.reads(base, object, through) || self.reads(index, object, Use::Value)
            }
            _ => {
                let how = if how == Use::Through { Use::Through } else { Use::Value };
                let mut found = false;
                for_each_operand(self.tast, expr, |operand| found |= self.reads(operand, object, how));
                found
            }
        }
    }

    fn mentions(&self, expr: CExpr, object: DeclId) -> bool {
        let mut found = matches!(self.tast[expr].kind, C::Decl(decl) if decl == object);
        for_each_operand(self.tast, expr, |operand| found |= self.mentions(operand, object));
        found
    }

    /// One value for the whole object: a struct copied from another.
    fn is_whole(&mut self, entry: &InitEntry, ty: TypeId) -> bool {
        entry.offset == 0
            && !entry.is_bit_field()
            && !matches!(self.tast[entry.value].kind, C::Str(_))
            && self.unit.ty(self.tast[entry.value].ty) == ty
    }

    fn initialise_scalar(&mut self, local: LocalId, entries: &[InitEntry], full: bool, span: Span) {
        let ty = self.body.locals[local].ty;
        let mark = self.temporaries.len();
        let value = match entries.last() {
            None => self.zero(ty, span),
            Some(entry) => {
                let at = self.span_of(entry.value);
                if full {
                    self.begin_full(entry.value);
                }
                let value = self.scalar(entry.value);
                if full {
                    self.effects.clear();
                }
                self.coerce(value, ty, at)
            }
        };
        self.initialise_local(local, value, span);
        self.end_temporaries(mark, span);
    }

    fn initialise_part(
        &mut self,
        object: &Place,
        entry: &InitEntry,
        full: bool,
        region: Option<ObligationId>,
        shared: &mut Shared,
    ) {
        let span = self.span_of(entry.value);
        if entry.reverse {
            self.unsupported("`scalar_storage_order` of the other byte order", span);
        }
        if let Some(string) = self.string_of(entry.value) {
            return self.initialise_string(object, entry, string, span);
        }
        let bits = entry
            .is_bit_field()
            .then_some(BitRange { start: entry.bit_offset as u8, width: entry.bit_width as u8 });
        let mark = self.temporaries.len();
        self.unordered(region, UnorderedMarker::Next, span);
        let value = self.initial_value(entry.value, full, shared, span);
        self.unordered(region, UnorderedMarker::Back, span);
        match value {
            Value::Scalar(value) => {
                let ty = self.type_of(value);
                let part = self.part(object, entry.offset, ty, bits, span);
                let value = self.as_stored(&part, value, span);
                self.store_unchecked(part, value, span);
            }
            Value::Object(from) => {
                let part = self.part(object, entry.offset, from.place.ty, None, span);
                // The others of a range are copies of the first.
                if let Some(known) = shared.get_mut(&entry.value) {
                    known.get_or_insert(Value::Object(named(part.clone())));
                }
                self.copy_object(named(part), from, span);
            }
            Value::None => self.unsupported("this initialiser", span),
        }
        self.end_temporaries(mark, span);
    }

    /// The value of an initialiser; that of a range is computed once, for its first element.
    fn initial_value(&mut self, expr: CExpr, full: bool, shared: &mut Shared, span: Span) -> Value {
        if let Some(Some(known)) = shared.get(&expr) {
            return known.clone();
        }
        if full {
            self.begin_full(expr);
        }
        let value = self.rvalue(expr);
        if full {
            self.effects.clear();
        }
        match (value, shared.get_mut(&expr)) {
            (Value::Scalar(value), Some(known)) => {
                let constant =
                    matches!(self.body.exprs[value].kind, ExprKind::Int(_) | ExprKind::Float { .. });
                let kept = if constant { value } else { self.keep(value, span) };
                *known = Some(Value::Scalar(kept));
                Value::Scalar(kept)
            }
            (value, _) => value,
        }
    }

    /// A string literal that initialises an array (not a pointer to one).
    fn string_of(&self, expr: CExpr) -> Option<StrId> {
        match self.tast[expr].kind {
            C::Str(string) => Some(string),
            C::Convert { kind: Conversion::Lvalue, operand } => self.string_of(operand),
            _ => None,
        }
    }

    fn initialise_string(&mut self, object: &Place, entry: &InitEntry, string: StrId, span: Span) {
        let global = self.unit.string_global(string, span);
        let array = self.unit.ty(self.tast[entry.value].ty);
        let literal = self.unit.globals[global].size;
        let room = self.room_at(object, entry.offset);
        let Type::Array { element, .. } = *self.ir_type(array) else { return };
        let width = self.unit.size_of(element).max(1);
        // `char a[3] = "abc"` drops the NUL; what is longer than the literal is zero already.
        let count = literal.min(room) / width;
        let ty = self.unit.types.table.array(element, Some(count));
        let to = self.bytes_at(object, entry.offset, ty, span);
        let mut from = self.global_object(global).place;
        from.ty = ty;
        let (to, from) = (Box::new(to), Box::new(from));
        self.emit(StatementKind::Copy { to, from, flags: Default::default() }, span);
    }

    /// Bytes from the offset to the end of the innermost array there, or of the object.
    fn room_at(&self, object: &Place, offset: u64) -> u64 {
        let view = self.unit.types.table.view(&self.unit.target);
        let mut ty = object.ty;
        let mut offset = offset;
        loop {
            let size = view.size_of(ty);
            let next = match view.get(ty) {
                Type::Record(record) => view.records[*record]
                    .fields
                    .iter()
                    // A bit-field's unit may reach into the members behind it.
                    .find(|f| {
                        f.bits.is_none() && f.offset <= offset && offset < f.offset + view.size_of(f.ty)
                    })
                    .map(|f| (f.ty, offset - f.offset)),
                Type::Array { element, .. }
                    if matches!(view.get(*element), Type::Array { .. } | Type::Record(_)) =>
                {
                    let stride = view.size_of(*element).max(1);
                    Some((*element, offset % stride))
                }
                _ => None,
            };
            match next {
                Some((inner, rest)) => (ty, offset) = (inner, rest),
                None => return size.saturating_sub(offset),
            }
        }
    }

    /// The member or element of that type at that offset.
    fn part(&mut self, object: &Place, offset: u64, ty: TypeId, bits: Option<BitRange>, span: Span) -> Place {
        let mut steps = Vec::new();
        if self.find_part(object.ty, offset, ty, bits, &mut steps) {
            let mut place = object.clone();
            for step in steps {
                let step = match step {
                    Step::Field(projection) => projection,
                    Step::Element { index, stride, length } => {
                        let index = self.int_const(i128::from(index), self.unit.known.size, span);
                        Projection::Index { index, stride, length }
                    }
                };
                place.projections.push(step);
            }
            // A bit-field has its declared type.
            place.ty = match place.projections.last() {
                Some(Projection::Field { record, field }) if bits.is_some() => {
                    self.unit.types.table.records()[*record].fields[*field as usize].ty
                }
                _ => ty,
            };
            return place;
        }
        self.bytes_at(object, offset, ty, span)
    }

    fn find_part(
        &self,
        at: TypeId,
        offset: u64,
        want: TypeId,
        bits: Option<BitRange>,
        steps: &mut Vec<Step>,
    ) -> bool {
        if at == want && offset == 0 && bits.is_none() {
            return true;
        }
        let view = self.unit.types.table.view(&self.unit.target);
        match *view.get(at) {
            Type::Record(record) => {
                for (number, field) in view.records[record].fields.iter().enumerate() {
                    let projection = Projection::Field { record, field: number as u32 };
                    if let Some(own) = field.bits {
                        if bits == Some(own) && field.offset == offset {
                            steps.push(Step::Field(projection));
                            return true;
                        }
                        continue;
                    }
                    let size = view.size_of(field.ty);
                    if field.offset <= offset && offset < field.offset + size.max(1) {
                        steps.push(Step::Field(projection));
                        if self.find_part(field.ty, offset - field.offset, want, bits, steps) {
                            return true;
                        }
                        steps.pop();
                    }
                }
                false
            }
            Type::Array { element, length } => {
                let stride = view.size_of(element);
                if stride == 0 {
                    return false;
                }
                steps.push(Step::Element { index: offset / stride, stride, length });
                if self.find_part(element, offset % stride, want, bits, steps) {
                    return true;
                }
                steps.pop();
                false
            }
            _ => false,
        }
    }

    /// A place by its byte offset, where no member has the type.
    fn bytes_at(&mut self, object: &Place, offset: u64, ty: TypeId, span: Span) -> Place {
        let pointer_type = self.unit.types.table.pointer(ty);
        let base = self.expr(ExprKind::AddressOf(Box::new(object.clone())), pointer_type, span);
        let pointer = if offset == 0 {
            base
        } else {
            let index = self.int_const(i128::from(offset), self.unit.known.size, span);
            self.expr(ExprKind::PointerAdd { pointer: base, index, stride: 1 }, pointer_type, span)
        };
        Place { base: PlaceBase::Deref(pointer), projections: Vec::new(), ty }
    }

    /// `(T){ ... }`: an object of the enclosing block, made anew each time it is evaluated.
    pub(super) fn compound_literal(&mut self, id: DeclId) -> Lvalue {
        let decl = &self.tast[id];
        let span = self.unit.decl_span(id);
        if !Self::is_automatic(decl) {
            return match self.unit.entity(id) {
                Entity::Global(global) => Lvalue::Memory(self.global_object(global)),
                Entity::Function(_) => Lvalue::Memory(self.stand_in(decl.ty, span)),
            };
        }
        let local = self.declare_in_scope(id, true);
        self.begin_storage(local, span);
        if let Some(init) = decl.init {
            self.initialise(local, id, init, false, span);
        }
        match self.body.locals[local].storage {
            Storage::Register => Lvalue::Register(local),
            Storage::Memory { .. } => Lvalue::Memory(self.local_object_of(local)),
        }
    }
}

/// Values that a range gives to several elements, and what they were computed to.
type Shared = FxHashMap<CExpr, Option<Value>>;

fn repeated(entries: &[InitEntry]) -> Shared {
    let mut seen = FxHashSet::default();
    entries.iter().filter(|e| !seen.insert(e.value)).map(|e| (e.value, None)).collect()
}

/// How an expression is used that a name stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Value,
    Address,
    /// What it points to is read.
    Through,
}

enum Step {
    Field(Projection),
    Element { index: u64, stride: u64, length: Option<u64> },
}
