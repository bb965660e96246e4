// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values between registers, memory and the slow paths.

use clew_base::float::Float;
use clew_base::int::IntType;
use clew_ir::syntax::BitRange;

use crate::code::{Address, Reg, Rep};
use crate::machine::Machine;
use crate::value::{Pointer, Provenance, Value};

impl Rep {
    /// The value that slots hold.
    pub(crate) fn read(self, slots: [u64; 2]) -> Value {
        let wide = u128::from(slots[0]) | u128::from(slots[1]) << 64;
        match self {
            Rep::Int(int) if int.signed => Value::Int(i128::from(slots[0] as i64)),
            Rep::Int(_) => Value::Int(i128::from(slots[0])),
            Rep::Wide(_) => Value::Int(wide as i128),
            Rep::Float(format) => Value::Float(Float::from_bits(format, u128::from(slots[0]))),
            Rep::WideFloat(format) => Value::Float(Float::from_bits(format, wide)),
            Rep::Pointer => Value::Ptr(Pointer { addr: slots[0], prov: Provenance(slots[1]) }),
        }
    }

    /// The slots that hold a value, which is made to fit.
    pub(crate) fn write(self, value: Value) -> [u64; 2] {
        let halves = |bits: u128| [bits as u64, (bits >> 64) as u64];
        match self {
            Rep::Int(int) | Rep::Wide(int) => halves(int.wrap(value.as_int()) as u128),
            Rep::Float(format) | Rep::WideFloat(format) => halves(value.as_float(format).to_bits()),
            Rep::Pointer => {
                let pointer = value.as_ptr();
                [pointer.addr, pointer.prov.0]
            }
        }
    }
}

impl Machine<'_> {
    /// Where the innermost frame's registers start.
    pub(super) fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base)
    }

    pub(super) fn slots(&self, reg: Reg) -> [u64; 2] {
        let first = self.base() + usize::from(reg);
        [self.registers[first], self.registers[first + 1]]
    }

    /// The value in a register of the innermost frame.
    pub(crate) fn value(&self, reg: Reg, rep: Rep) -> Value {
        rep.read(self.slots(reg))
    }

    /// The pointer in a register of the innermost frame.
    pub(super) fn pointer(&self, reg: Reg) -> Pointer {
        let [addr, prov] = self.slots(reg);
        Pointer { addr, prov: Provenance(prov) }
    }

    /// Writes a register of the innermost frame.
    pub(super) fn set(&mut self, reg: Reg, rep: Rep, value: Value) {
        let slots = rep.write(value);
        self.set_slots(reg, rep.slots(), slots);
    }

    pub(super) fn set_slots(&mut self, reg: Reg, count: u16, slots: [u64; 2]) {
        let first = self.base() + usize::from(reg);
        for (offset, slot) in slots.iter().take(usize::from(count)).enumerate() {
            self.registers[first + offset] = *slot;
        }
    }

    /// The pointer that an address stands for.
    pub(crate) fn locate(&self, address: Address) -> Pointer {
        let base = self.pointer(address.base);
        let index =
            address.index.map_or(0, |(reg, stride)| self.slots(reg)[0].wrapping_mul(u64::from(stride)));
        base.add(index.wrapping_add(address.offset as i64 as u64))
    }

    /// Reads a scalar from memory that may be read.
    pub(crate) fn load_value(
        &mut self,
        place: Pointer,
        rep: Rep,
        bytes: u64,
        bits: Option<BitRange>,
    ) -> Value {
        if rep == Rep::Pointer && bits.is_none() {
            return Value::Ptr(self.memory.read_pointer(place));
        }
        self.memory.expose_words(place.addr, place.prov, bytes as usize);
        let raw = self.raw(place, bytes);
        match (rep, bits) {
            (Rep::Int(int) | Rep::Wide(int), Some(range)) => {
                let field = IntType { bits: u16::from(range.width), signed: int.signed };
                Value::Int(field.wrap((raw >> range.start) as i128))
            }
            (Rep::Int(int) | Rep::Wide(int), None) if int.bits == 1 => Value::Int(i128::from(raw as u8)),
            (Rep::Int(int) | Rep::Wide(int), None) => Value::Int(int.wrap(raw as i128)),
            (Rep::Float(format) | Rep::WideFloat(format), _) => Value::Float(Float::from_bits(format, raw)),
            (Rep::Pointer, _) => Value::NULL,
        }
    }

    /// Up to 16 bytes as a number. A bit-field that straddles 17 bytes does not exist in C.
    fn raw(&self, place: Pointer, bytes: u64) -> u128 {
        let mut raw = [0; 16];
        if let Some(found) = self.memory.bytes(place, bytes.min(16)) {
            raw[..found.len()].copy_from_slice(found);
        }
        u128::from_le_bytes(raw)
    }

    /// Writes a scalar to memory that may be written.
    pub(crate) fn store_value(
        &mut self,
        place: Pointer,
        value: Value,
        rep: Rep,
        bytes: u64,
        bits: Option<BitRange>,
    ) {
        match (rep, bits) {
            (Rep::Pointer, None) => self.memory.write_pointer(place, value.as_ptr()),
            (_, Some(range)) => self.store_bits(place, value, bytes, range),
            (Rep::WideFloat(format), None) => {
                // The padding of an 80-bit float is not written.
                let raw = crate::eval::to_bits(value).to_le_bytes();
                self.memory.write(place, &raw[..(format.bits() / 8) as usize]);
            }
            (_, None) => {
                let raw = crate::eval::to_bits(value).to_le_bytes();
                self.memory.write(place, &raw[..bytes.min(16) as usize]);
            }
        }
    }

    /// Writes a bit-field: its neighbours keep their bits, and whether those were written.
    fn store_bits(&mut self, place: Pointer, value: Value, bytes: u64, range: BitRange) {
        let bytes = bytes.min(16);
        let field = (u128::MAX >> (128 - u32::from(range.width))) << range.start;
        let old = self.raw(place, bytes);
        let new = old & !field | (crate::eval::to_bits(value) << range.start) & field;
        let old_mask = self.memory.mask(place, bytes).map(<[u8]>::to_vec);
        self.memory.write(place, &new.to_le_bytes()[..bytes as usize]);
        if let Some(mask) = old_mask {
            let written = field.to_le_bytes();
            let mask: Vec<u8> = mask.iter().zip(written).map(|(old, new)| old | new).collect();
            self.memory.set_mask(place, &mask);
        }
    }
}
