// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of the program that runs: objects with an identity, their bytes, and what is known of each byte.
//!
//! An access finds its object by the pointer's provenance, not by its address, so a pointer that wandered into a
//! neighbour is still judged against the object it came from. Addresses are handed out once, in order, with gaps, and
//! never again; only slots of the object table are used again, after a quarantine in which they still know where their
//! object was born and died.
//!
//! Per byte an object knows which bits were written (`mask`), and per aligned pointer-sized word which object the
//! pointer there was derived from (`words`). Where a pointer's bytes are read as integers, stored unaligned or copied
//! in part, its object becomes *exposed*: later an address alone leads back to it.

mod access;
mod alloc;
mod bytes;
mod leak;

use std::collections::{BTreeMap, VecDeque};

use clew_ir::syntax::{FuncId, GlobalId, LocalId};

use crate::value::{Pointer, Provenance};
pub use access::Fault;
pub use alloc::{Kind, Layout, NewObject, TraceId};

/// What an object is called in messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// A global, static local or string literal.
    Global(GlobalId),
    /// A local of a function.
    Local(FuncId, LocalId),
    /// A function.
    Function(FuncId),
    /// An object without a name in the source, said in words: `the result of malloc`.
    Unnamed(&'static str),
}

/// One object. Its provenance is its slot in the table and `generation`.
#[derive(Clone, Debug)]
pub struct Object {
    /// First address.
    pub base: u64,
    /// Bytes.
    pub size: u64,
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub name: Name,
    /// Where it was made.
    pub born: TraceId,
    /// Where it died, for dead ones.
    pub died: TraceId,
    /// Whether a store is allowed.
    pub writable: bool,
    /// Whether it is alive.
    pub alive: bool,
    generation: u32,
    exposed: bool,
    /// Whether its address was more than stored as a pointer: it may be held in any disguise.
    escaped: bool,
    /// The bytes; empty when dead.
    data: Vec<u8>,
    /// One bit for each bit of `data`, set when it was written. Empty: all were.
    mask: Vec<u8>,
    /// Provenance of the pointer in each aligned word. Empty: no pointer was stored.
    words: Vec<u64>,
}

impl Object {
    /// Whether some address lies in the object or right behind it.
    fn covers(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.base) <= self.size
    }

    /// Address one past the end.
    pub fn end(&self) -> u64 {
        self.base + self.size
    }
}

/// All objects.
#[derive(Debug)]
pub struct Memory {
    objects: Vec<Object>,
    layout: Layout,
    pointer_bytes: u64,
    /// Dead slots, the longest dead first.
    dead_stack: VecDeque<u32>,
    dead_heap: VecDeque<u32>,
    /// Objects that an address alone leads to, by first address.
    exposed: BTreeMap<u64, Provenance>,
    /// Bytes of live objects, and how many there may be.
    used: u64,
    limit: u64,
    /// Bytes of all objects that were ever made.
    pub made: u64,
    /// What bytes hold that were never written.
    garbage: u8,
}

impl Memory {
    /// Empty memory for a machine with pointers of so many bytes, with a limit on the bytes of live objects.
    pub fn new(pointer_bytes: u8, limit: u64) -> Memory {
        let layout = Layout::for_pointer_bytes(pointer_bytes);
        Memory {
            objects: vec![Object::nothing()],
            layout,
            pointer_bytes: u64::from(pointer_bytes),
            dead_stack: VecDeque::new(),
            dead_heap: VecDeque::new(),
            exposed: BTreeMap::new(),
            used: 0,
            limit,
            made: 0,
            garbage: 0,
        }
    }

    /// The same with other bytes where nothing was written.
    pub fn with_garbage(self, garbage: u8) -> Memory {
        Memory { garbage, ..self }
    }

    /// The object in the slot a pointer came from: the pointer's own, alive or dead, unless its slot has a new tenant.
    pub fn object(&self, prov: Provenance) -> Option<&Object> {
        if prov.is_none() {
            return None;
        }
        let object = self.objects.get(prov.slot())?;
        let own = if object.alive { object.generation } else { object.generation.wrapping_sub(1) };
        (own == prov.generation()).then_some(object)
    }

    /// The live object a pointer came from.
    #[inline]
    pub fn live(&self, prov: Provenance) -> Option<&Object> {
        self.objects.get(prov.slot()).filter(|o| o.generation == prov.generation())
    }

    #[inline]
    fn live_mut(&mut self, prov: Provenance) -> Option<&mut Object> {
        self.objects.get_mut(prov.slot()).filter(|o| o.generation == prov.generation())
    }

    /// Bytes from the pointer to the end of its live object; none if it points outside or to nothing alive.
    pub fn remaining(&self, pointer: Pointer) -> Option<u64> {
        let object = self.live(pointer.prov)?;
        object.covers(pointer.addr).then(|| object.end() - pointer.addr)
    }

    /// The function that a pointer points to.
    #[inline]
    pub fn function(&self, pointer: Pointer) -> Option<FuncId> {
        let object = self.live(pointer.prov)?;
        match object.kind {
            Kind::Function(function) if object.base == pointer.addr => Some(function),
            _ => None,
        }
    }

    /// From now on the object's address alone leads to it.
    pub fn expose(&mut self, prov: Provenance) {
        if let Some(object) = self.live_mut(prov) {
            object.escaped = true;
        }
        self.expose_stored(prov);
    }

    /// The same, for a pointer that is stored where no provenance is kept: its bytes are the only disguise.
    fn expose_stored(&mut self, prov: Provenance) {
        let Some(object) = self.live_mut(prov) else { return };
        if !object.exposed {
            object.exposed = true;
            let base = object.base;
            self.exposed.insert(base, prov);
        }
    }

    /// The pointer for an address: to the exposed object it lies in or right behind.
    pub fn recover(&self, addr: u64) -> Pointer {
        let found = self.exposed.range(..=addr).next_back().map(|(_, prov)| *prov);
        let prov = found.filter(|p| self.objects[p.slot()].covers(addr));
        Pointer { addr, prov: prov.unwrap_or(Provenance::NONE) }
    }

    /// The live object that an address lies in, exposed or not. Looks at all objects: for messages.
    pub fn containing(&self, addr: u64) -> Provenance {
        let mut inside = self.live_objects().filter(|(_, o)| addr.wrapping_sub(o.base) < o.size);
        inside.next().map_or(Provenance::NONE, |(prov, _)| prov)
    }

    /// Bytes of a pointer.
    pub fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }
}

#[cfg(test)]
mod tests;
