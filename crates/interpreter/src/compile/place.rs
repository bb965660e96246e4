// SPDX-License-Identifier: MIT OR Apache-2.0
//! Places: from base and steps to an address that an operation can use.

use clew_base::index::Idx;
use clew_ir::syntax::{ExprId, ExprKind, Linkage, Place, PlaceBase, Projection};

use super::Compiler;
use crate::code::{Action, Address, Op, Reg, Rep};

/// A base with what is still to be added.
struct Partial {
    base: Base,
    offset: i64,
    indices: Vec<(ExprId, u64)>,
}

enum Base {
    Register(Reg),
    Constant(u64, u64),
}

impl Compiler<'_, '_> {
    /// The address of a place, with one index left to the operation where that is possible.
    pub(super) fn address(&mut self, place: &Place) -> Address {
        let mut partial = self.partial(place);
        let last = partial.indices.pop();
        let mut address = self.settle(partial);
        if let Some((index, stride)) = last {
            let b = self.value(index);
            match u32::try_from(stride) {
                Ok(x) if address.offset == 0 => address.index = Some((b, x)),
                _ => address.base = self.add_scaled(address.base, b, stride),
            }
        }
        address
    }

    /// The address of a place without an index.
    pub(super) fn plain_address(&mut self, place: &Place) -> Address {
        let partial = self.partial(place);
        self.settle(partial)
    }

    /// A register that points to the place.
    pub(super) fn pointer_to(&mut self, place: &Place) -> Reg {
        let address = self.plain_address(place);
        if address.offset == 0 {
            return address.base;
        }
        let d = self.slots(2);
        self.emit(Op::PtrAddI { d, a: address.base, x: address.offset });
        d
    }

    /// `pointer + index * stride` in new registers.
    pub(super) fn pointer_add(&mut self, pointer: ExprId, index: ExprId, stride: u64) -> Reg {
        let a = self.value(pointer);
        if let Some(offset) = self.constant_value(index) {
            let bytes = (offset as i64).wrapping_mul(stride as i64);
            if let Ok(x) = i32::try_from(bytes) {
                let d = self.slots(2);
                self.emit(Op::PtrAddI { d, a, x });
                return d;
            }
        }
        let b = self.value(index);
        self.add_scaled(a, b, stride)
    }

    fn add_scaled(&mut self, a: Reg, b: Reg, stride: u64) -> Reg {
        let (b, x) = match u32::try_from(stride) {
            Ok(x) => (b, x),
            Err(_) => {
                let factor = self.constant(stride);
                let product = self.slots(1);
                self.emit(Op::Mul64 { d: product, a: b, b: factor });
                (product, 1)
            }
        };
        let d = self.slots(2);
        self.emit(Op::PtrAdd { d, a, b, x });
        d
    }

    /// Adds all indices and makes the offset fit.
    fn settle(&mut self, partial: Partial) -> Address {
        let mut offset = partial.offset;
        let mut base = match partial.base {
            Base::Register(reg) => reg,
            Base::Constant(addr, prov) => {
                let reg = self.pair((addr.wrapping_add(offset as u64), prov));
                offset = 0;
                reg
            }
        };
        for (index, stride) in partial.indices {
            let b = self.value(index);
            base = self.add_scaled(base, b, stride);
        }
        let Ok(offset) = i32::try_from(offset) else {
            let b = self.constant(offset as u64);
            return Address { base: self.add_scaled(base, b, 1), index: None, offset: 0 };
        };
        Address { base, index: None, offset }
    }

    fn partial(&mut self, place: &Place) -> Partial {
        let mut partial = match place.base {
            PlaceBase::Local(local) => {
                let base = Base::Register(self.code.memory_locals[local.index()].unwrap_or(0));
                Partial { base, offset: 0, indices: Vec::new() }
            }
            PlaceBase::Global(global) => {
                let pointer = self.environment.globals[global.index()];
                // A weak one that nothing defines is at address null, as the linker says.
                if pointer.is_null() && self.program.globals[global].linkage != Linkage::Weak {
                    let name = &self.program.globals[global].name;
                    let what = format!("`{name}` is declared, but no file of the program defines it");
                    self.slow(Vec::new(), Action::Unsupported { what });
                }
                let base = Base::Constant(pointer.addr, pointer.prov.0);
                Partial { base, offset: 0, indices: Vec::new() }
            }
            PlaceBase::Deref(pointer) => self.through(pointer),
        };
        for step in &place.projections {
            match *step {
                Projection::Field { record, field } => {
                    let offset = self.types.field(record, field).map_or(0, |f| f.offset);
                    partial.offset = partial.offset.wrapping_add(offset as i64);
                }
                Projection::Index { index, stride, .. } => self.step(&mut partial, index, stride),
            }
        }
        partial
    }

    fn step(&mut self, partial: &mut Partial, index: ExprId, stride: u64) {
        match self.constant_value(index) {
            Some(value) => {
                partial.offset = partial.offset.wrapping_add((value as i64).wrapping_mul(stride as i64));
            }
            None => partial.indices.push((index, stride)),
        }
    }

    /// What a pointer expression points to: sums and addresses that were not computed yet are taken apart.
    fn through(&mut self, pointer: ExprId) -> Partial {
        if self.cache.find(self.body, pointer).is_none() {
            match &self.body.exprs[pointer].kind {
                ExprKind::AddressOf(place) => return self.partial(place),
                ExprKind::PointerAdd { pointer, index, stride } => {
                    let mut partial = self.through(*pointer);
                    self.step(&mut partial, *index, *stride);
                    return partial;
                }
                ExprKind::Cast(operand) if matches!(self.rep(*operand), Rep::Pointer) => {
                    return self.through(*operand);
                }
                _ => {}
            }
        }
        Partial { base: Base::Register(self.value(pointer)), offset: 0, indices: Vec::new() }
    }
}
