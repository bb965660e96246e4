// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory as the walk sees it: objects of scalar cells, places resolved to an object and offsets.
//!
//! A cell is written and read as the scalar that the object's type has there; anything else is unclear. An index that is
//! not one integer reads the join of its cells and writes into each of them weakly.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_base::float::Float;
use clew_base::source::Span;
use clew_ir::syntax::{
    Body, FuncId, Global, GlobalId, LocalId, Place, PlaceBase, Program, Projection, Storage, Type, TypeId,
};

use crate::algebra::Algebra;
use crate::setup::Variable;
use crate::store::{Cells, Meeting, Object, ObjectId, Scalar, Store, constant, scalar};
use crate::walk::{Walk, Walked};

/// More cells than this are too many to walk over.
const MOST_CELLS: u64 = 1 << 20;

/// An object and the offsets in it that a place may be at, in equal steps.
pub(crate) struct Spot {
    pub object: ObjectId,
    pub offsets: Vec<u64>,
}

/// The scalars of a type: offset and type of each. None: it has parts that are no scalars, or too many.
pub(crate) fn leaves(program: &Program, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
    let mut found = Vec::new();
    gather(program, ty, 0, &mut found).then_some(found)
}

fn gather(program: &Program, ty: TypeId, at: u64, found: &mut Vec<(u64, TypeId)>) -> bool {
    if found.len() as u64 > MOST_CELLS {
        return false;
    }
    match &program.types[ty] {
        Type::Array { element, length: Some(length) } => {
            let stride = program.size_of(*element);
            *length <= MOST_CELLS && (0..*length).all(|i| gather(program, *element, at + i * stride, found))
        }
        Type::Record(record) => {
            let record = &program.records[*record];
            let plain = |field: &clew_ir::syntax::Field| field.bits.is_none();
            !record.is_union
                && record.fields.iter().all(plain)
                && record.fields.iter().all(|field| gather(program, field.ty, at + field.offset, found))
        }
        Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_) => {
            found.push((at, ty));
            true
        }
        _ => false,
    }
}

/// The scalar type that stands at an offset of a type.
fn type_at(program: &Program, ty: TypeId, at: u64) -> Option<TypeId> {
    match &program.types[ty] {
        Type::Array { element, .. } => {
            let stride = program.size_of(*element).max(1);
            type_at(program, *element, at % stride)
        }
        Type::Record(record) => {
            let record = &program.records[*record];
            let holds = |field: &&clew_ir::syntax::Field| {
                (field.offset..field.offset + program.size_of(field.ty)).contains(&at)
            };
            let field = record.fields.iter().find(holds).filter(|_| !record.is_union)?;
            type_at(program, field.ty, at - field.offset)
        }
        _ => (at == 0).then_some(ty),
    }
}

/// Members and elements on the way to an offset: `.gain`, `[].x`.
pub(crate) fn path_at(program: &Program, ty: TypeId, at: u64) -> String {
    match &program.types[ty] {
        Type::Array { element, .. } => {
            // Rows and columns are one row of the table.
            let stride = program.size_of(*element).max(1);
            let inner = path_at(program, *element, at % stride);
            if inner.starts_with("[]") { inner } else { format!("[]{inner}") }
        }
        Type::Record(record) => {
            let record = &program.records[*record];
            let holds = |field: &&clew_ir::syntax::Field| {
                (field.offset..field.offset + program.size_of(field.ty)).contains(&at)
            };
            let Some(field) = record.fields.iter().find(holds) else { return String::new() };
            let name = field.name.as_deref().unwrap_or_default();
            format!(".{name}{}", path_at(program, field.ty, at - field.offset))
        }
        _ => String::new(),
    }
}

/// Whether a scalar of the one type may be read and written as one of the other.
fn is_alike(program: &Program, a: TypeId, b: TypeId) -> bool {
    let kind = |ty: TypeId| match program.types[ty] {
        Type::Float(_) => 0,
        Type::Bool | Type::Int { .. } => 1,
        _ => 2,
    };
    kind(a) == kind(b) && program.size_of(a) == program.size_of(b)
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// A local's storage begins.
    pub(crate) fn live(
        &mut self,
        function: FuncId,
        body: &Body,
        store: &mut Store<A::Value>,
        local: LocalId,
    ) {
        let declared = &body.locals[local];
        let depth = store.frames.len() - 1;
        match declared.storage {
            Storage::Register => store.frame().registers[local.0 as usize] = Scalar::Undefined,
            Storage::Memory { .. } => {
                let variable = declared.name.as_ref().map(|_| Variable::Local(function, local));
                let size = self.program.size_of(declared.ty);
                let object = Object { variable, ty: declared.ty, size, cells: BTreeMap::new() };
                store.objects.insert(ObjectId::Local(depth, local), Arc::new(object));
            }
        }
    }

    /// A static object as the program starts with it.
    pub(crate) fn initial(&mut self, id: GlobalId, span: Span) -> Walked<Object<A::Value>> {
        let global = &self.program.globals[id];
        let variable = Some(Variable::Global(id));
        let mut object = Object { variable, ty: global.ty, size: global.size, cells: BTreeMap::new() };
        let Some(leaves) = leaves(self.program, global.ty) else { return Ok(object) };
        for (offset, ty) in leaves {
            let cell = self.initial_cell(global, offset, ty);
            let cell = self.keep(Variable::Global(id), ty, cell, span)?;
            object.cells.insert(offset, cell);
        }
        Ok(object)
    }

    fn initial_cell(&mut self, global: &Global, offset: u64, ty: TypeId) -> Scalar<A::Value> {
        let Some(init) = &global.init else { return Scalar::unclear("an object that no file defines") };
        if let Some(relocation) = init.relocations.iter().find(|r| r.offset == offset) {
            return match relocation.target {
                clew_ir::syntax::Address::Global(to) => {
                    Scalar::Pointer(ObjectId::Global(to), i128::from(relocation.addend))
                }
                clew_ir::syntax::Address::Function(to) => Scalar::Function(to),
                clew_ir::syntax::Address::Label(..) => Scalar::unclear("the address of a label"),
            };
        }
        let size = self.program.size_of(ty).min(16) as usize;
        let at = |i: usize| init.bytes.get(offset as usize + i).copied().unwrap_or(0);
        let bits = (0..size).fold(0u128, |bits, i| bits | u128::from(at(i)) << (8 * i));
        self.decoded(bits, ty)
    }

    fn decoded(&mut self, bits: u128, ty: TypeId) -> Scalar<A::Value> {
        match &self.program.types[ty] {
            Type::Float(format) => match Float::from_bits(*format, bits).exact() {
                Some(value) => Scalar::Number(constant(&mut self.algebra, value)),
                None => Scalar::unclear("a float that is no number"),
            },
            Type::Bool => Scalar::int((bits & 1) as i128),
            Type::Int { .. } => match self.program.types().int_type(ty) {
                Some(int) => Scalar::int(int.wrap(bits as i128)),
                None => Scalar::unclear("an unusual integer"),
            },
            _ => Scalar::int(bits as i128),
        }
    }

    /// The name of the variable behind a place, for messages.
    pub(crate) fn place_name(
        &mut self,
        store: &mut Store<A::Value>,
        body: &'a Body,
        place: &Place,
    ) -> Option<Arc<str>> {
        let object = match place.base {
            PlaceBase::Global(global) => ObjectId::Global(global),
            PlaceBase::Local(local) => ObjectId::Local(store.frames.len() - 1, local),
            PlaceBase::Deref(pointer) => match self.eval(body, store, pointer) {
                Ok(Scalar::Pointer(object, _)) => object,
                _ => return None,
            },
        };
        let variable = store.objects.get(&object)?.variable?;
        Some(self.name(variable))
    }

    /// Where a place may be.
    pub(crate) fn spot(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        span: Span,
    ) -> Walked<Spot> {
        let (object, start) = match place.base {
            PlaceBase::Global(global) => (ObjectId::Global(global), 0),
            PlaceBase::Local(local) => (ObjectId::Local(store.frames.len() - 1, local), 0),
            PlaceBase::Deref(pointer) => match self.eval(body, store, pointer)? {
                Scalar::Pointer(object, offset) => (object, offset),
                Scalar::Unclear(why) => {
                    return Err(self.no_bound(&format!("an access through a pointer: {why}"), span));
                }
                _ => return Err(self.no_bound("an access through a pointer that is not known", span)),
            },
        };
        let mut offsets = vec![start];
        for projection in &place.projections {
            match projection {
                Projection::Field { record, field } => {
                    let Some(field) = self.program.types().field(*record, *field) else {
                        return Err(self.no_bound("a member that is not there", span));
                    };
                    if field.bits.is_some() {
                        return Err(self.no_bound("a bit-field", span));
                    }
                    offsets.iter_mut().for_each(|offset| *offset += i128::from(field.offset));
                }
                Projection::Index { index, stride, .. } => match self.eval_index(body, store, *index)? {
                    Scalar::Int(low, high) if high - low < 4096 => {
                        let all = offsets
                            .iter()
                            .flat_map(|at| (low..=high).map(move |i| at + i * i128::from(*stride)));
                        offsets = all.collect();
                    }
                    _ => return Err(self.no_bound("an index that is not a known integer", span)),
                },
            }
            if offsets.len() > 65_536 {
                return Err(self.no_bound("an access to too many places", span));
            }
        }
        let Some(found) = store.objects.get(&object) else {
            return Err(self.no_bound("an access to an object that is not there", span));
        };
        let size = i128::from(found.size);
        let width = i128::from(self.program.size_of(place.ty));
        let inside: Vec<u64> = offsets
            .iter()
            .filter(|at| **at >= 0 && **at + width <= size)
            .filter_map(|at| u64::try_from(*at).ok())
            .collect();
        if inside.len() < offsets.len() {
            return Err(self.no_bound("an access outside its object", span));
        }
        // What a pointer parameter points to is many of its type.
        let unit = match object {
            ObjectId::Pointee(_) => self.program.size_of(found.ty).max(1),
            _ => u64::MAX,
        };
        let is_as_declared = |at: &u64| {
            type_at(self.program, found.ty, at % unit).is_some_and(|ty| is_alike(self.program, ty, place.ty))
        };
        if self.program.types().is_scalar(place.ty) && !inside.iter().all(is_as_declared) {
            let why = "memory that is read or written as another type, or a member of a union";
            return Err(self.no_bound(why, span));
        }
        Ok(Spot { object, offsets: inside })
    }

    /// Reads, and says from where if that is one cell.
    #[allow(clippy::type_complexity)]
    pub(crate) fn load(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        span: Span,
    ) -> Walked<(Scalar<A::Value>, Option<(ObjectId, u64)>)> {
        let spot = self.spot(body, store, place, span)?;
        let object = &store.objects[&spot.object];
        let mut read: Option<Scalar<A::Value>> = None;
        for offset in &spot.offsets {
            let cell = match object.cells.get(offset) {
                Some(Scalar::Undefined) | None => Scalar::unclear("a value that was never written"),
                Some(cell) => cell.clone(),
            };
            read = Some(match read {
                None => cell,
                Some(read) => scalar(&mut self.algebra, Meeting::Either, &read, &cell),
            });
        }
        let origin = (spot.offsets.len() == 1).then(|| (spot.object, spot.offsets[0]));
        Ok((read.unwrap_or(Scalar::Undefined), origin))
    }

    /// Writes.
    pub(crate) fn store(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        value: Scalar<A::Value>,
        span: Span,
    ) -> Walked<()> {
        let spot = self.spot(body, store, place, span)?;
        let variable = store.objects[&spot.object].variable;
        let value = match variable {
            Some(variable) => {
                let value = self.keep(variable, place.ty, value, span)?;
                let name = self.name(variable);
                self.note(Some(span), &name, variable, &value);
                value
            }
            None => value,
        };
        let is_sure = spot.offsets.len() == 1;
        for offset in spot.offsets {
            let old = store.objects[&spot.object].cells.get(&offset).cloned();
            let new = match old {
                Some(old) if !is_sure => scalar(&mut self.algebra, Meeting::Either, &old, &value),
                _ => value.clone(),
            };
            let Some(object) = store.object_mut(spot.object) else { continue };
            object.cells.insert(offset, new);
        }
        Ok(())
    }

    /// Copies an object, cell by cell.
    pub(crate) fn copy(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        to: &Place,
        from: &Place,
        span: Span,
    ) -> Walked<()> {
        let cells = self.cells_of(body, store, from, span)?;
        self.put_cells(body, store, to, cells, span)
    }

    /// The scalars of a record or array.
    pub(crate) fn cells_of(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        span: Span,
    ) -> Walked<Cells<A::Value>> {
        let spot = self.spot(body, store, place, span)?;
        let [start] = spot.offsets[..] else {
            return Err(self.no_bound("a copy from one of several places", span));
        };
        if leaves(self.program, place.ty).is_none() {
            return Err(self.no_bound("a copy of a union, or of a record with bit-fields", span));
        }
        let size = self.program.size_of(place.ty);
        let cells = store.objects[&spot.object].cells.range(start..start + size);
        Ok(cells.map(|(at, cell)| (at - start, cell.clone())).collect())
    }

    /// Writes the scalars of a record or array.
    pub(crate) fn put_cells(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        cells: Cells<A::Value>,
        span: Span,
    ) -> Walked<()> {
        let spot = self.spot(body, store, place, span)?;
        let [start] = spot.offsets[..] else {
            return Err(self.no_bound("a copy to one of several places", span));
        };
        self.put_cells_at(store, (spot.object, start), place.ty, cells, span)
    }

    /// The same, of an object that is known.
    pub(crate) fn put_cells_at(
        &mut self,
        store: &mut Store<A::Value>,
        (object, start): (ObjectId, u64),
        ty: TypeId,
        cells: Cells<A::Value>,
        span: Span,
    ) -> Walked<()> {
        let Some(leaves) = leaves(self.program, ty) else {
            return Err(self.no_bound("a copy of a union, or of a record with bit-fields", span));
        };
        let types: BTreeMap<u64, TypeId> = leaves.into_iter().collect();
        let variable = store.objects.get(&object).and_then(|object| object.variable);
        for (at, cell) in cells {
            let cell = match (variable, types.get(&at)) {
                (Some(variable), Some(ty)) => self.keep(variable, *ty, cell, span)?,
                _ => cell,
            };
            if let Some(object) = store.object_mut(object) {
                object.cells.insert(start + at, cell);
            }
        }
        Ok(())
    }

    /// Fills an object with zeros.
    pub(crate) fn zero(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        span: Span,
    ) -> Walked<()> {
        let spot = self.spot(body, store, place, span)?;
        let [at] = spot.offsets[..] else {
            return Err(self.no_bound("zeros in one of several places", span));
        };
        let Some(leaves) = leaves(self.program, place.ty) else {
            return Err(self.no_bound("an object with parts that are no numbers", span));
        };
        let variable = store.objects[&spot.object].variable;
        for (offset, ty) in leaves {
            let zero = self.decoded(0, ty);
            let zero = match variable {
                Some(variable) => self.keep(variable, ty, zero, span)?,
                None => zero,
            };
            if let Some(object) = store.object_mut(spot.object) {
                object.cells.insert(at + offset, zero);
            }
        }
        Ok(())
    }
}
