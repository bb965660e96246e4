// SPDX-License-Identifier: MIT OR Apache-2.0
//! A window on a run for those who judge other engines by it: the state each time control comes to a chosen block.
//!
//! A watched block begins with an operation of its own, so a run that nobody observes executes the same code as ever.
//! In a function with a watched block every register knows whether it was assigned, since a slot that was not holds
//! whatever a frame before left there.

use clew_base::index::Idx;
use clew_ir::syntax::{BlockId, FuncId, GlobalId, LocalId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::{Frame, Machine};
use crate::memory::{Kind, Memory, Name, Object};
use crate::value::{Pointer, Provenance, Value};
use clew_ir::location::Location;

/// The blocks that are observed.
pub type Blocks = FxHashSet<(FuncId, BlockId)>;

/// Somebody who looks at the states of a run.
pub trait Observer: Send {
    /// Control is at the start of a watched block; nothing of it has run yet.
    fn at_block(&mut self, function: FuncId, block: BlockId, view: &View<'_>);
}

/// What a machine keeps for its observer.
pub(crate) struct Watch<'p> {
    pub blocks: &'p Blocks,
    observer: &'p mut dyn Observer,
    births: Births,
}

/// Where the objects without a name were made.
#[derive(Default)]
struct Births {
    sites: FxHashMap<Provenance, Birth>,
    counts: FxHashMap<(Location, Option<Location>), u64>,
}

impl<'p> Watch<'p> {
    pub fn new(blocks: &'p Blocks, observer: &'p mut dyn Observer) -> Watch<'p> {
        Watch { blocks, observer, births: Births::default() }
    }
}

impl Machine<'_> {
    /// Shows the state to the observer.
    pub(crate) fn observe(&mut self, block: BlockId) {
        let Some(watch) = self.watch.take() else { return };
        if let Some(frame) = self.frames.last() {
            let function = frame.function;
            let view = View {
                memory: &self.memory,
                frames: &self.frames,
                registers: &self.registers,
                stack_objects: &self.stack_objects,
                globals: &self.globals,
                births: &watch.births,
            };
            watch.observer.at_block(function, block, &view);
        }
        self.watch = Some(watch);
    }

    /// Remembers for the observer which statement made an object.
    pub(crate) fn note_birth(&mut self, prov: Provenance) {
        if self.watch.is_none() {
            return;
        }
        let mut calls = calls(&self.frames);
        let (place, caller) = (calls.next(), calls.next());
        if let (Some(watch), Some(place)) = (&mut self.watch, place) {
            let number = watch.births.counts.entry((place, caller)).or_default();
            *number += 1;
            watch.births.sites.insert(prov, Birth { place, caller, number: *number });
        }
    }
}

/// The statements that the running functions are at, innermost first.
fn calls(frames: &[Frame]) -> impl Iterator<Item = Location> {
    frames.iter().rev().filter_map(|frame| {
        let (block, statement) = frame.code.place(frame.pc)?;
        Some(Location { function: frame.function, block, statement })
    })
}

/// The state of a run, to be read only.
pub struct View<'a> {
    memory: &'a Memory,
    frames: &'a [Frame],
    registers: &'a [u64],
    stack_objects: &'a [Provenance],
    globals: &'a [Pointer],
    births: &'a Births,
}

/// A register local.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Register {
    /// It was not assigned since its storage began.
    Uninitialised,
    /// Its value.
    Value(Value),
}

/// Which object of the program an object of the run is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// A variable with static storage.
    Global(GlobalId),
    /// A string literal.
    Literal(GlobalId),
    /// A local of some activation of a function.
    Local(FuncId, LocalId),
    /// Made by `malloc` or a sibling.
    Heap(Birth),
    /// Made by `alloca`.
    Alloca(Birth),
    /// A function.
    Function(FuncId),
    /// The library's own, or an argument of `main`; in words.
    Library(&'static str),
}

/// Where an object without a name was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Birth {
    /// The statement that called for it.
    pub place: Location,
    /// The call of the function that this statement is in.
    pub caller: Option<Location>,
    /// The how-many-eth object of that statement under that call it is, from 1 on.
    pub number: u64,
}

impl<'a> View<'a> {
    /// How many functions are running: 1 in `main`.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The calls that led here, innermost first.
    pub fn callers(&self) -> impl Iterator<Item = Location> {
        calls(self.frames.get(..self.frames.len() - 1).unwrap_or(&[]))
    }

    /// A register local of the innermost function; `None` for one that lives in memory.
    pub fn register(&self, local: LocalId) -> Option<Register> {
        let frame = self.frames.last()?;
        let (reg, rep) = (*frame.code.locals.get(local.index())?)?;
        let slot = |reg: u16| self.registers[frame.base + usize::from(reg)];
        if frame.code.flags.get(&local).is_some_and(|flag| slot(*flag) == 0) {
            return Some(Register::Uninitialised);
        }
        let high = if rep.slots() == 2 { slot(reg + 1) } else { 0 };
        Some(Register::Value(rep.read([slot(reg), high])))
    }

    /// A memory local of the innermost function, while it is alive.
    pub fn memory_local(&self, local: LocalId) -> Option<ObjectView<'a>> {
        let frame = self.frames.last()?;
        let reg = (*frame.code.memory_locals.get(local.index())?)?;
        // The slot may hold what another frame left there: the object must be this frame's own.
        let prov = Provenance(self.registers[frame.base + usize::from(reg) + 1]);
        let own = self.stack_objects[frame.objects..].contains(&prov);
        let object = self.object(prov).filter(|_| own)?;
        (object.what() == What::Local(frame.function, local)).then_some(object)
    }

    /// A global; `None` for one that nobody defines.
    pub fn global(&self, global: GlobalId) -> Option<ObjectView<'a>> {
        self.object(self.globals.get(global.index())?.prov)
    }

    /// The object that a pointer was derived from, alive or dead. `None` for a pointer without one, and for an object
    /// that is dead for so long that nothing is known of it any more.
    pub fn object(&self, prov: Provenance) -> Option<ObjectView<'a>> {
        let object = self.memory.object(prov)?;
        Some(ObjectView { memory: self.memory, births: self.births, object, prov })
    }

    /// All live objects.
    pub fn objects(&self) -> impl Iterator<Item = ObjectView<'a>> {
        let (memory, births) = (self.memory, self.births);
        memory.live_objects().map(move |(prov, object)| ObjectView { memory, births, object, prov })
    }

    /// How many objects a statement has made so far under a call.
    pub fn born(&self, place: Location, caller: Option<Location>) -> u64 {
        self.births.counts.get(&(place, caller)).copied().unwrap_or(0)
    }
}

/// An object of a run.
#[derive(Clone, Copy)]
pub struct ObjectView<'a> {
    memory: &'a Memory,
    births: &'a Births,
    object: &'a Object,
    prov: Provenance,
}

impl<'a> ObjectView<'a> {
    /// Its identity.
    pub fn provenance(&self) -> Provenance {
        self.prov
    }

    /// Which object of the program it is.
    pub fn what(&self) -> What {
        let birth = || self.births.sites.get(&self.prov).copied();
        match (self.object.kind, self.object.name) {
            (Kind::Literal, Name::Global(global)) => What::Literal(global),
            (_, Name::Global(global)) => What::Global(global),
            (_, Name::Local(function, local)) => What::Local(function, local),
            (_, Name::Function(function)) => What::Function(function),
            (Kind::Heap, Name::Unnamed(words)) => birth().map_or(What::Library(words), What::Heap),
            (Kind::Stack, Name::Unnamed(words)) => birth().map_or(What::Library(words), What::Alloca),
            (_, Name::Unnamed(words)) => What::Library(words),
        }
    }

    /// First address.
    pub fn base(&self) -> u64 {
        self.object.base
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.object.size
    }

    /// Whether it is alive.
    pub fn alive(&self) -> bool {
        self.object.alive
    }

    /// Whether stores are allowed.
    pub fn writable(&self) -> bool {
        self.object.writable
    }

    /// Its bytes, written or not; none of a dead one.
    pub fn bytes(&self) -> &'a [u8] {
        self.memory.bytes(self.start(), self.object.size).unwrap_or(&[])
    }

    /// Which bits of its bytes were written; empty if all were.
    pub fn mask(&self) -> &'a [u8] {
        self.memory.mask(self.start(), self.object.size).unwrap_or(&[])
    }

    /// Which bits of a byte were written.
    pub fn written(&self, offset: u64) -> u8 {
        let mask = self.memory.mask(self.start().add(offset), 1);
        mask.and_then(|mask| mask.first().copied()).unwrap_or(0xff)
    }

    /// Whether all bits of some bytes were written.
    pub fn initialised(&self, offset: u64, bytes: u64) -> bool {
        self.memory.is_initialised(self.start().add(offset), bytes, None)
    }

    /// The pointer that stands at an offset, as the program would read it.
    pub fn pointer(&self, offset: u64) -> Pointer {
        self.memory.read_pointer(self.start().add(offset))
    }

    /// How far behind the first byte a pointer that was derived from this object points.
    pub fn offset_of(&self, pointer: Pointer) -> i64 {
        pointer.addr.wrapping_sub(self.object.base) as i64
    }

    fn start(&self) -> Pointer {
        Pointer { addr: self.object.base, prov: self.prov }
    }
}
