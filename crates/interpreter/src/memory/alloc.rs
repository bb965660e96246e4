// SPDX-License-Identifier: MIT OR Apache-2.0
//! Birth and death of objects, and the addresses they get.

use clew_ir::syntax::FuncId;

use super::{Memory, Name, Object};
use crate::effort::{HEAP_QUARANTINE, KEPT_BUFFER, STACK_QUARANTINE};
use crate::value::{Pointer, Provenance};

/// A call stack that the machine remembers (see `trace`); zero is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TraceId(pub u32);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Lives as long as the program.
    Static,
    /// A string literal.
    Literal,
    /// A local, or an `alloca`.
    Stack,
    /// From `malloc` and its kin: may be freed, and leaks.
    Heap,
    /// A function: it has an address and no bytes.
    Function(FuncId),
    /// The library's own.
    Library,
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct NewObject {
    /// Bytes.
    pub size: u64,
    /// Alignment, a power of two.
    pub align: u64,
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub name: Name,
    /// Whether its bytes count as written; they are zero then.
    pub initialised: bool,
    /// Whether stores are allowed.
    pub writable: bool,
    /// Where it is made.
    pub born: TraceId,
}

/// The next free address of each kind of memory.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    next_static: u64,
    next_heap: u64,
    next_stack: u64,
    end: u64,
}

/// Space left after each object, so that one past the end is nobody's first byte.
const GUARD: u64 = 32;
/// Every object starts at a multiple of this, as `malloc` promises.
const LEAST_ALIGN: u64 = 16;

impl Layout {
    /// Where things are for a pointer size. Nothing is in the first pages, so that small addresses stay invalid.
    pub fn for_pointer_bytes(bytes: u8) -> Layout {
        if bytes <= 4 {
            Layout {
                next_static: 0x0040_0000,
                next_heap: 0x2000_0000,
                next_stack: 0x8000_0000,
                end: 0xffff_0000,
            }
        } else {
            Layout {
                next_static: 0x0040_0000,
                next_heap: 0x5555_0000_0000,
                next_stack: 0x7000_0000_0000,
                end: 0x7fff_ffff_f000,
            }
        }
    }

    fn place(&mut self, kind: Kind, size: u64, align: u64) -> Option<u64> {
        let (next, end) = match kind {
            Kind::Stack => (&mut self.next_stack, self.end),
            Kind::Heap => (&mut self.next_heap, self.next_stack),
            _ => (&mut self.next_static, self.next_heap),
        };
        let align = align.max(LEAST_ALIGN);
        let base = next.checked_next_multiple_of(align)?;
        let after = base.checked_add(size)?.checked_add(GUARD)?;
        if after > end {
            return None;
        }
        *next = after;
        Some(base)
    }
}

impl Object {
    /// What slot zero holds, which no provenance leads to.
    pub(super) fn nothing() -> Object {
        Object {
            base: 0,
            size: 0,
            kind: Kind::Static,
            name: Name::Unnamed("nothing"),
            born: TraceId(0),
            died: TraceId(0),
            writable: false,
            alive: false,
            generation: u32::MAX,
            exposed: false,
            escaped: false,
            data: Vec::new(),
            mask: Vec::new(),
            words: Vec::new(),
        }
    }
}

impl Memory {
    /// Makes an object. `None` when memory is exhausted.
    pub fn alloc(&mut self, new: NewObject) -> Option<Pointer> {
        let bytes = usize::try_from(new.size).ok()?;
        let used = self.used.checked_add(new.size).filter(|used| *used <= self.limit)?;
        let base = self.layout.place(new.kind, new.size, new.align)?;
        self.used = used;
        self.made = self.made.saturating_add(new.size);
        let slot = self.free_slot(new.kind);
        let object = &mut self.objects[slot as usize];
        object.base = base;
        object.size = new.size;
        object.kind = new.kind;
        object.name = new.name;
        object.born = new.born;
        object.died = TraceId(0);
        object.writable = new.writable;
        object.alive = true;
        refill(&mut object.data, if matches!(new.kind, Kind::Function(_)) { 0 } else { bytes });
        if !new.initialised && self.garbage != 0 {
            object.data.fill(self.garbage);
        }
        refill(&mut object.mask, if new.initialised { 0 } else { bytes });
        object.words.clear();
        Some(Pointer { addr: base, prov: Provenance::new(slot, object.generation) })
    }

    /// A slot for a new object: the longest dead one of its kind if enough are dead, else a fresh one.
    fn free_slot(&mut self, kind: Kind) -> u32 {
        let reused = match kind {
            Kind::Stack if self.dead_stack.len() > STACK_QUARANTINE => self.dead_stack.pop_front(),
            Kind::Heap if self.dead_heap.len() > HEAP_QUARANTINE => self.dead_heap.pop_front(),
            _ => None,
        };
        if let Some(slot) = reused {
            let object = &mut self.objects[slot as usize];
            if object.exposed {
                object.exposed = false;
                object.escaped = false;
                let base = object.base;
                self.exposed.remove(&base);
            }
            return slot;
        }
        self.objects.push(Object { generation: 1, ..Object::nothing() });
        (self.objects.len() - 1) as u32
    }

    /// Ends the life of a live object. Pointers to it dangle from now on.
    pub fn kill(&mut self, prov: Provenance, died: TraceId) {
        let Some(object) = self.live_mut(prov) else { return };
        object.generation = object.generation.wrapping_add(1).max(1);
        object.alive = false;
        object.died = died;
        let keeps = object.kind == Kind::Stack;
        for buffer in [&mut object.data, &mut object.mask] {
            if !keeps || buffer.capacity() > KEPT_BUFFER {
                *buffer = Vec::new();
            } else {
                buffer.clear();
            }
        }
        object.words = Vec::new();
        let (size, kind) = (object.size, object.kind);
        self.used -= size;
        match kind {
            Kind::Stack => self.dead_stack.push_back(prov.slot() as u32),
            _ => self.dead_heap.push_back(prov.slot() as u32),
        }
    }

    /// Makes a const object read-only once it has its start value.
    pub fn make_read_only(&mut self, prov: Provenance) {
        if let Some(object) = self.live_mut(prov) {
            object.writable = false;
        }
    }

    /// Every live object with its provenance.
    pub fn live_objects(&self) -> impl Iterator<Item = (Provenance, &Object)> {
        self.objects
            .iter()
            .enumerate()
            .filter(|(_, o)| o.alive)
            .map(|(slot, o)| (Provenance::new(slot as u32, o.generation), o))
    }
}

/// Zeroes, as many as asked for. A large buffer comes fresh from the system, which hands out zeroes lazily.
fn refill(buffer: &mut Vec<u8>, bytes: usize) {
    if bytes > KEPT_BUFFER {
        *buffer = vec![0; bytes];
    } else {
        buffer.clear();
        buffer.resize(bytes, 0);
    }
}
