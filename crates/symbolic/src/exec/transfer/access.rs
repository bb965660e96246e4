// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads and stores through pointers that may be one of several, and values in the form they have in memory.

use std::rc::Rc;

use clew_ir::syntax::{BitRange, Place, TypeId};
use clew_ir::types::{Class, int_bytes};

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::contents::{Cell, Reach};
use crate::exec::state::value::{Base, ObjectId, Pointer, Value};
use crate::exec::transfer::expression::Evaluated;
use crate::term::TermId;

impl Encoder<'_> {
    /// Bytes that a scalar of a type writes.
    pub fn stored_bytes(&self, ty: TypeId) -> Option<u32> {
        match self.facts.program.types().class(ty) {
            Class::Int(int) => Some(int_bytes(int.bits) as u32),
            Class::Float(format) => Some(format.bits() / 8),
            Class::Pointer => Some(u32::from(self.facts.program.target.pointer_bytes)),
            _ => None,
        }
    }

    /// Where an access through one case of a pointer goes.
    fn reach(&self, object: ObjectId, offset: TermId, bytes: u32) -> Reach {
        let size = self.terms.as_const(self.objects.metas[object.0 as usize].size).map(|size| size as u64);
        Reach { offset, bytes, size }
    }

    /// Writes at a pointer where a condition holds.
    pub fn write_if(&mut self, state: &mut State, condition: TermId, pointer: &Pointer, cell: &Cell) {
        for (case, chosen) in pointer.choices(&mut self.terms) {
            let Base::Object(object) = case.base else { continue };
            let guard = self.terms.and(condition, chosen);
            if self.terms.is_false(guard) {
                continue;
            }
            let reach = self.reach(object, case.offset, cell.bytes);
            let Some(now) = state.memory.get_mut(object) else { continue };
            Rc::make_mut(&mut now.contents).write(&mut self.terms, guard, reach, cell.clone());
        }
    }

    /// Writes at a pointer.
    pub fn write(&mut self, state: &mut State, pointer: &Pointer, cell: &Cell) {
        let always = self.terms.bool(true);
        self.write_if(state, always, pointer, cell);
    }

    /// A scalar as it stands in memory.
    pub fn cell_of(&mut self, value: Value, ty: TypeId) -> Option<Cell> {
        let bytes = self.stored_bytes(ty)?;
        let value = match (value, self.facts.program.types().class(ty)) {
            (Value::Bits(bits), Class::Int(int)) => {
                Value::Bits(self.terms.resize(bits, bytes * 8, int.signed && int.bits > 1))
            }
            (value, _) => value,
        };
        Some(Cell::written(&mut self.terms, bytes, value))
    }
}

impl Evaluator<'_> {
    /// What stands at a pointer. None if the pointer leads to no object, or what is there cannot be told.
    pub fn read(&mut self, state: &State, pointer: &Pointer, bytes: u32) -> Option<Cell> {
        let mut found: Option<Cell> = None;
        for case in &pointer.cases {
            let Base::Object(object) = case.base else { continue };
            let Some(now) = state.memory.get(object) else { continue };
            let contents = now.contents.clone();
            self.limit(state, object);
            let reach = self.encoder.reach(object, case.offset, bytes);
            let here = contents.read(&mut self.encoder.terms, reach)?;
            found = Some(match found {
                None => here,
                Some(rest) => Cell::choose(&mut self.encoder.terms, case.guard, &here, &rest),
            });
        }
        found
    }

    /// A scalar of a type from what stands in memory.
    pub fn value_of(&mut self, state: &State, cell: &Cell, ty: TypeId) -> Value {
        match (&cell.value, self.encoder.facts.program.types().class(ty)) {
            (Value::Bits(bits), Class::Int(int)) => {
                Value::Bits(self.encoder.terms.extract(*bits, 0, u32::from(int.bits)))
            }
            (Value::Bits(bits), Class::Float(_)) => Value::Bits(*bits),
            (Value::Bits(bits), Class::Pointer) => self.pointer_at(state, *bits),
            (Value::Pointer(pointer), Class::Pointer) => Value::Pointer(pointer.clone()),
            (Value::Pointer(pointer), Class::Int(int)) => {
                let number = self.encoder.number_at(pointer);
                Value::Bits(self.encoder.terms.resize(number, u32::from(int.bits), false))
            }
            _ => Value::Lost,
        }
    }

    /// A load from a place: its value, and whether that was written. None: not followed.
    pub fn load(&mut self, state: &State, place: &Place) -> Option<(Value, TermId)> {
        let Value::Pointer(pointer) = self.place(state, &mut Evaluated::default(), place) else {
            return None;
        };
        let types = self.encoder.facts.program.types();
        if let Some(range) = types.bit_range(place) {
            return self.load_bits(state, &pointer, place, range);
        }
        let bytes = self.encoder.stored_bytes(place.ty)?;
        let cell = self.read(state, &pointer, bytes)?;
        let value = self.value_of(state, &cell, place.ty);
        Some((value, cell.written))
    }

    fn load_bits(
        &mut self,
        state: &State,
        pointer: &Pointer,
        place: &Place,
        range: BitRange,
    ) -> Option<(Value, TermId)> {
        let cell = self.read(state, pointer, range.covering_bytes() as u32)?;
        let int = self.encoder.facts.program.types().int_type(place.ty)?;
        let Value::Bits(bits) = cell.value else { return None };
        let field = self.encoder.terms.extract(bits, u32::from(range.start), u32::from(range.width));
        let value = self.encoder.terms.resize(field, u32::from(int.bits), int.signed);
        Some((Value::Bits(value), cell.written))
    }

    /// A store to a place. `false`: not followed.
    #[must_use]
    pub fn store(&mut self, state: &mut State, place: &Place, value: Value) -> bool {
        let Value::Pointer(pointer) = self.place(state, &mut Evaluated::default(), place) else {
            return false;
        };
        let cell = match self.encoder.facts.program.types().bit_range(place) {
            Some(range) => self.bits_cell(state, &pointer, value, range),
            None => self.encoder.cell_of(value, place.ty),
        };
        let Some(cell) = cell else { return false };
        self.encoder.write(state, &pointer, &cell);
        true
    }

    /// The bytes around a bit-field with its new value. That its neighbours were not written is forgotten.
    fn bits_cell(&mut self, state: &State, pointer: &Pointer, value: Value, range: BitRange) -> Option<Cell> {
        let bytes = range.covering_bytes() as u32;
        let old = self.read(state, pointer, bytes)?;
        let not = self.encoder.terms.not(old.written);
        self.cut_if(state, not, Reason::Unwritten);
        let (Value::Bits(old), Value::Bits(new)) = (old.value, value) else { return None };
        let (start, width) = (u32::from(range.start), u32::from(range.width));
        let mut bits = self.encoder.terms.resize(new, width, false);
        if start > 0 {
            let low = self.encoder.terms.extract(old, 0, start);
            bits = self.encoder.terms.concat(bits, low);
        }
        if start + width < bytes * 8 {
            let high = self.encoder.terms.extract(old, start + width, bytes * 8 - start - width);
            bits = self.encoder.terms.concat(high, bits);
        }
        Some(Cell::written(&mut self.encoder.terms, bytes, Value::Bits(bits)))
    }
}
