// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unnamed arguments: an object that `va_arg` walks through, in the form of the target's `va_list`.
//!
//! On x86-64 a `va_list` has two counters, a pointer to arguments in memory and one to saved registers. Ours says that
//! all registers are used up, so that every argument is found in memory, in slots of eight bytes. A `va_list` that is
//! copied, passed on or stored is then the program's own bytes, as on the machine.

use clew_ir::syntax::TypeId;
use clew_ir::types::Class;

use crate::code::{ArgumentSite, Rep, Target};
use crate::machine::{Machine, Stop, Violation};
use crate::memory::Name;
use crate::value::{Pointer, Value};

/// Counters that say: no argument is left in registers.
const REGISTERS_USED: [u8; 8] = [48, 0, 0, 0, 176, 0, 0, 0];

impl Machine<'_> {
    /// Offset of the pointer to the arguments in memory inside a `va_list`.
    pub(crate) fn va_area_offset(&self) -> u64 {
        if self.memory.pointer_bytes() == 8 { 8 } else { 0 }
    }

    /// Bytes of a `va_list`.
    fn va_list_bytes(&self) -> u64 {
        if self.memory.pointer_bytes() == 8 { 24 } else { 4 }
    }

    /// Lays the unnamed arguments of a call down for the frame just made.
    pub(super) fn pass_unnamed(&mut self, arguments: &[ArgumentSite], caller: usize) -> Result<(), Stop> {
        let mut types = Vec::with_capacity(arguments.len());
        let mut size = 0u64;
        for argument in arguments {
            let (bytes, align) = self.slot_shape(argument.ty);
            size = size.next_multiple_of(align);
            types.push((size, argument.ty));
            size += bytes;
        }
        let area = self.stack_object(size, 16, Name::Unnamed("the unnamed arguments"), true)?;
        for (argument, (offset, _)) in arguments.iter().zip(&types) {
            let first = caller + usize::from(argument.a);
            let slots = [self.registers[first], self.registers[first + 1]];
            let place = area.add(*offset);
            match argument.rep {
                None => {
                    let from = Rep::Pointer.read(slots).as_ptr();
                    self.memory.copy(place, from, self.program.size_of(argument.ty));
                }
                // The whole slot is written, so that a list read with another type finds no gap.
                Some(rep @ (Rep::Int(_) | Rep::Float(_))) => {
                    self.store_value(place, Value::Int(i128::from(slots[0] as i64)), rep, 8, None);
                }
                Some(rep) => {
                    let bytes = self.program.size_of(argument.ty);
                    self.store_value(place, rep.read(slots), rep, bytes, None);
                }
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.unnamed = area;
        }
        // An empty struct takes no room, and nothing can be said of asking for one.
        types.retain(|(_, ty)| self.program.size_of(*ty) > 0);
        self.unnamed_types.insert(area.prov, types);
        Ok(())
    }

    /// The type of the unnamed argument that a list is at, where that is known.
    pub(crate) fn next_unnamed_type(&self, list: Pointer) -> Option<TypeId> {
        let area = self.memory.read_pointer(list.add(self.va_area_offset()));
        let base = self.memory.live(area.prov)?.base;
        let types = self.unnamed_types.get(&area.prov)?;
        // The list is where the argument before ended; an argument of wider alignment may begin a little later.
        let offset = area.addr.wrapping_sub(base);
        let next = types.partition_point(|(start, _)| *start < offset);
        types.get(next).map(|(_, ty)| *ty)
    }

    /// Whether an argument of one type may be asked for as another: C allows the other signedness; programs also ask
    /// for a null pointer that was passed as a plain 0.
    fn may_ask(&self, passed: TypeId, asked: TypeId, slot: Pointer) -> bool {
        let types = self.program.types();
        match (types.class(passed), types.class(asked)) {
            (Class::Int(passed), Class::Int(asked)) => passed.bits == asked.bits,
            (Class::Float(passed), Class::Float(asked)) => passed == asked,
            (Class::Pointer, Class::Pointer) => true,
            (Class::Int(int), Class::Pointer) | (Class::Pointer, Class::Int(int)) => {
                let zero =
                    self.memory.bytes(slot, 8).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0));
                u64::from(int.bits) == 8 * self.memory.pointer_bytes() || zero
            }
            (Class::Aggregate, Class::Aggregate) => types.size_of(passed) == types.size_of(asked),
            _ => false,
        }
    }

    /// Bytes and alignment of an unnamed argument of a type.
    fn slot_shape(&self, ty: TypeId) -> (u64, u64) {
        let align = u64::from(self.program.align_of(ty)).clamp(8, 16);
        (self.program.size_of(ty).next_multiple_of(8), align)
    }

    /// `va_start`.
    pub(super) fn va_start(&mut self, list: Pointer) -> Result<(), Stop> {
        if !self.may_touch(list, true)? {
            return Ok(());
        }
        let mut area = self.frames.last().map_or(Pointer::NULL, |frame| frame.unnamed);
        if area.is_null() {
            area = self.stack_object(0, 16, Name::Unnamed("the unnamed arguments"), true)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.unnamed = area;
            }
        }
        if self.memory.pointer_bytes() == 8 {
            self.memory.write(list, &REGISTERS_USED);
            self.memory.write_pointer(list.add(16), Pointer::NULL);
        }
        self.memory.write_pointer(list.add(self.va_area_offset()), area);
        Ok(())
    }

    /// `va_copy`.
    pub(super) fn va_copy(&mut self, to: Pointer, from: Pointer) -> Result<(), Stop> {
        if self.may_touch(to, true)? && self.may_touch(from, false)? {
            self.memory.copy(to, from, self.va_list_bytes());
        }
        Ok(())
    }

    /// `va_arg`: the next argument, into a register or a place.
    pub(super) fn va_arg(&mut self, list: Pointer, ty: TypeId, result: Target) -> Result<(), Stop> {
        if !self.may_touch(list, false)? {
            return Ok(());
        }
        let field = list.add(self.va_area_offset());
        let area = self.memory.read_pointer(field);
        let (bytes, align) = self.slot_shape(ty);
        let addr = area.addr.checked_next_multiple_of(align).unwrap_or(area.addr);
        let slot = Pointer { addr, prov: area.prov };
        let size = self.program.size_of(ty);
        // Whether it is there was asked before; a run that goes on all the same finds nothing.
        if self.memory.judge(slot, size, false).is_err() {
            if let Target::Register(reg, rep) = result {
                self.set_slots(reg, rep.slots(), [0; 2]);
            }
            return Ok(());
        }
        match result {
            Target::None => {}
            Target::Register(reg, rep) => {
                let value = self.load_value(slot, rep, size, None);
                self.set(reg, rep, value);
            }
            Target::Place(address, bytes) => {
                let to = self.locate(address);
                self.copy_object(to, slot, bytes);
            }
        }
        self.memory.write_pointer(field, slot.add(bytes));
        Ok(())
    }

    /// Why the next argument of a list is none of that type, if so. What is wrong with the list itself is said where it is read.
    pub(super) fn misfit_of_unnamed(&self, list: Pointer, ty: TypeId) -> Option<String> {
        if self.memory.judge(list, self.va_list_bytes(), false).is_err() {
            return Some("va_arg of a list that is not there".into());
        }
        let area = self.memory.read_pointer(list.add(self.va_area_offset()));
        if self.memory.live(area.prov).is_none() {
            return Some("va_arg of a list that was never started, or whose call has ended".into());
        }
        let (_, align) = self.slot_shape(ty);
        let addr = area.addr.checked_next_multiple_of(align).unwrap_or(area.addr);
        let slot = Pointer { addr, prov: area.prov };
        let size = self.program.size_of(ty);
        if self.memory.judge(slot, size, false).is_err() {
            return Some("va_arg asks for an argument that the call does not have".into());
        }
        let passed = self.next_unnamed_type(list).filter(|_| size > 0)?;
        let (given, asked) = (self.type_name(passed), self.type_name(ty));
        let misfits = !self.may_ask(passed, ty, slot);
        misfits.then(|| format!("va_arg asks for {asked}, but the argument is {given}"))
    }

    /// Judges an access to a whole `va_list`.
    fn may_touch(&mut self, list: Pointer, writes: bool) -> Result<bool, Stop> {
        let bytes = self.va_list_bytes();
        let Err(fault) = self.memory.judge(list, bytes, writes) else { return Ok(true) };
        let (check, message) = self.explain(fault, list, bytes, writes);
        let span = self.current_span();
        self.violate(Violation {
            check,
            obligation: None,
            argument: None,
            span,
            message,
            object: list.prov,
        })?;
        Ok(false)
    }
}
