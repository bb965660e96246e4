// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds at loop heads, and whether a state of a run is one of those it describes.
//!
//! Membership is read off the meaning of the domains and shares nothing with the transfer functions: it is how tests
//! find out that one of those is wrong. A run is anything that answers [`Run`]; this crate knows no interpreter.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_ir::head::{Fact as Known, Heads as Facts};
use clew_ir::syntax::{BlockId, FuncId, GlobalId, LocalId, Program};

use crate::domain::clocked::Clocked;
use crate::domain::int::Int;
use crate::domain::place::{Cell, Place};
use crate::domain::relational::Concrete;
use crate::domain::shape::Shape;
use crate::domain::tuple::TupleFact;
use crate::domain::tuple::filter::{filter_admits, lag_admits};
use crate::domain::tuple::tree::Tree;
use crate::domain::value::{Address, Kind, Value};
use crate::domain::var::Var;
use crate::effort::invariant::MOST_ELEMENTS;
use crate::memory::array_segment::{Bound, SegmentFact, Term};
use crate::memory::contents::{Contents, Segment};
use crate::memory::object::{Life, Obj};
use crate::program::flow::{Flow, Registers};
use crate::program::object::{Object, ObjectId, Objects, Site};
use crate::state::{Definition, State};

/// A scalar of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar {
    /// Never written.
    Uninitialised,
    /// An integer in the canonical form of its type.
    Int(i128),
    /// A float.
    Float {
        /// Its bits.
        bits: u128,
        /// Its format.
        format: Format,
    },
    /// A pointer.
    Pointer(Pointer),
}

/// A pointer of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The address.
    pub addr: u64,
    /// The object that it was derived from.
    pub object: Option<u64>,
}

/// Which object of the program an object of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kin {
    /// A global or a string literal.
    Global(GlobalId),
    /// A local of some running or ended call of a function.
    Local(FuncId, LocalId),
    /// Made by this call of an allocating function.
    Heap {
        /// The call.
        call: Site,
        /// Whether the call has made none since.
        latest: bool,
    },
    /// Made by `alloca`.
    Alloca {
        /// At this statement.
        site: Site,
        /// Whether it has made none there since.
        latest: bool,
    },
    /// A function.
    Function(FuncId),
    /// Something that invariants say nothing of.
    Other,
}

/// An object of a run.
#[derive(Clone, Copy, Debug)]
pub struct Thing<'a> {
    /// What tells it from others.
    pub id: u64,
    /// Which object it is.
    pub kin: Kin,
    /// First address.
    pub base: u64,
    /// Bytes.
    pub size: u64,
    /// Whether it is alive.
    pub alive: bool,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Which bits of them were written; empty if all were.
    pub written: &'a [u8],
}

/// The state of a run.
pub trait Run {
    /// How often the clock has ticked.
    fn ticks(&self) -> u64;
    /// A register of the running function; none if it has no value of its own.
    fn register(&self, local: LocalId) -> Option<Scalar>;
    /// All objects that are alive.
    fn objects(&self) -> Vec<Thing<'_>>;
    /// An object, alive or dead; none if nothing is known of it any more.
    fn object(&self, id: u64) -> Option<Thing<'_>>;
    /// The pointer in an object at an offset.
    fn pointer(&self, object: u64, offset: u64) -> Pointer;
}

/// The loop heads of a program, with the registers that are live there.
pub struct Heads(BTreeMap<(FuncId, BlockId), Registers>);

impl Heads {
    /// Of all functions.
    pub fn new(program: &Program) -> Heads {
        let mut heads = BTreeMap::new();
        for (id, function) in program.functions.iter_enumerated() {
            let Some(body) = &function.body else { continue };
            let flow = Flow::new(body);
            heads.extend(flow.loops.keys().map(|head| ((id, *head), flow.live[*head].clone())));
        }
        Heads(heads)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (FuncId, BlockId)> {
        self.0.keys().copied()
    }
}

/// What holds at loop heads.
#[derive(Default)]
pub struct Invariants {
    objects: Objects,
    heads: BTreeMap<(FuncId, BlockId), State>,
    /// Heads of which nothing is said.
    unfollowed: BTreeSet<(FuncId, BlockId)>,
}

impl Invariants {
    pub(crate) fn new(
        objects: Objects,
        heads: BTreeMap<(FuncId, BlockId), State>,
        unfollowed: BTreeSet<(FuncId, BlockId)>,
    ) -> Invariants {
        Invariants { objects, heads, unfollowed }
    }

    /// What of it other engines understand.
    pub fn facts(&self) -> Facts {
        let known = |state: &State| {
            let registers = state.registers().iter().filter_map(|(local, value)| register(local, value));
            let differences =
                state.domains.relations.all().filter_map(|(left, right, most)| match (left, right) {
                    (Var::Register(left), Var::Register(right)) => {
                        Some(Known::Difference { left, right, most })
                    }
                    _ => None,
                });
            let globals = state.memory.iter().filter_map(|(id, obj)| self.global(id, obj));
            registers.chain(differences).chain(globals).collect()
        };
        self.heads.iter().map(|(head, state)| (*head, known(state))).collect()
    }

    /// A global that is one integer.
    fn global(&self, id: ObjectId, obj: &Obj) -> Option<Known> {
        let Object::Global(global) = *self.objects.get(id) else { return None };
        let mut segments = obj.contents.segments();
        let (Some((0, only)), None) = (segments.next(), segments.next()) else { return None };
        let is_whole = i128::from(only.end) == obj.size.hi() && u64::from(only.element) == only.end;
        let Kind::Number(number) = only.value.kind else { return None };
        if !is_whole || only.value.uninit || only.end > 8 {
            return None;
        }
        // The bytes do not say whether they have a sign; the values do, where it makes a difference.
        let int = IntType { bits: only.end as u16 * 8, signed: number.lo() < 0 };
        let fits = int.min() <= number.lo() && number.hi() <= int.max();
        fits.then(|| Known::Global { global, int, least: number.lo(), most: number.hi() })
    }

    /// Whether a state of a run at a loop head is among those that are said to occur there; if not, what is not.
    pub fn contains(
        &self,
        heads: &Heads,
        function: FuncId,
        block: BlockId,
        run: &dyn Run,
    ) -> Result<(), String> {
        let Some(state) = self.heads.get(&(function, block)) else {
            if self.unfollowed.contains(&(function, block)) {
                return Ok(());
            }
            return Err("it is said that no run comes here".to_owned());
        };
        let membership = Membership { objects: &self.objects, state, run, things: run.objects() };
        membership.registers(heads.0.get(&(function, block)))?;
        state.domains.contains(&membership)?;
        membership.accesses(heads.0.get(&(function, block)))?;
        membership.memory()?;
        membership.clocked()?;
        membership.bit_fields()?;
        membership.nuls()?;
        membership.extents()?;
        membership.facts()?;
        membership.tuples()?;
        membership.cells()
    }
}

/// What is known of a register, if it surely has a value.
fn register(local: LocalId, value: &Value) -> Option<Known> {
    match &value.kind {
        _ if value.uninit => None,
        Kind::Number(number) => Some(Known::Int { local, least: number.lo(), most: number.hi() }),
        Kind::Float(float) if !float.may_be_nan() => {
            Some(Known::Float { local, least: float.lo()?, most: float.hi()? })
        }
        Kind::Address(address) if address.number.is_none() && !address.unknown => {
            let offsets = || address.targets.iter().map(|(_, offset)| offset);
            let (least, most) = (offsets().map(Int::lo).min()?, offsets().map(Int::hi).max()?);
            Some(Known::Offset { local, least, most })
        }
        _ => None,
    }
}

struct Membership<'a> {
    objects: &'a Objects,
    state: &'a State,
    run: &'a dyn Run,
    things: Vec<Thing<'a>>,
}

impl Concrete for Membership<'_> {
    fn float(&self, local: LocalId) -> Option<f64> {
        match self.run.register(local)? {
            Scalar::Float { bits, format: Format::F32 } => Some(f64::from(f32::from_bits(bits as u32))),
            Scalar::Float { bits, format: Format::F64 } => Some(f64::from_bits(bits as u64)),
            _ => None,
        }
    }

    /// What a variable is; none for what is not known, and for bytes that are chosen.
    fn var(&self, var: Var) -> Option<i128> {
        let pointed = |local: LocalId| match self.run.register(local)? {
            Scalar::Pointer(Pointer { addr, object: Some(id) }) => {
                let thing = self.run.object(id)?;
                Some((i128::from(addr.wrapping_sub(thing.base) as i64), i128::from(thing.size)))
            }
            _ => None,
        };
        match var {
            Var::Register(local) => match self.run.register(local)? {
                Scalar::Int(value) => Some(value),
                _ => None,
            },
            Var::Minus(local) => self.var(Var::Register(local)).map(|value| -value),
            Var::Offset(local, unit) => pointed(local).map(|(offset, _)| offset >> unit),
            Var::Room(local, unit) => pointed(local).map(|(offset, size)| (size - offset) >> unit),
            Var::Size(object, unit) => self.only(object).map(|thing| i128::from(thing.size >> unit)),
            Var::Nul(_) => None,
        }
    }
}

impl Membership<'_> {
    fn registers(&self, live: Option<&Registers>) -> Result<(), String> {
        for (local, value) in self.state.registers().iter() {
            let Some(scalar) = self.run.register(local) else { continue };
            // One that nothing reads, and that only some of the paths here still know, may hold anything.
            if value.uninit && live.is_some_and(|live| !live.contains(local)) {
                continue;
            }
            if !self.admits(value, scalar) {
                return Err(format!("register {local} is {scalar:?}, not in {value:?}"));
            }
        }
        for local in live.into_iter().flat_map(Registers::iter) {
            let known = self.state.registers().get(local).is_some();
            let assigned = self.run.register(local).is_some_and(|scalar| scalar != Scalar::Uninitialised);
            if !known && assigned {
                return Err(format!("register {local} is said to be unassigned"));
            }
        }
        Ok(())
    }

    /// Objects that registers point into.
    fn accesses(&self, live: Option<&Registers>) -> Result<(), String> {
        for (local, access) in self.state.accesses.iter() {
            let is_live = live.is_none_or(|live| live.contains(local));
            let Some(scalar) = self.run.register(local).filter(|_| is_live) else { continue };
            let Scalar::Pointer(Pointer { addr, object: Some(id) }) = scalar else {
                return Err(format!("register {local} is {scalar:?}, and {access:?} was seen there"));
            };
            let Some(thing) = self.run.object(id) else { continue };
            let at = i128::from(addr) - i128::from(thing.base);
            let has_bytes = access.from < access.to;
            let inside = at + access.from >= 0 && at + access.to <= i128::from(thing.size);
            if access.alive && !thing.alive || has_bytes && !inside {
                return Err(format!("register {local} is at {at} of {}, not {access:?}", thing.size));
            }
        }
        Ok(())
    }

    /// A float in a register; none for what has no value of its own.
    /// Scalars against the clock: each as it is read, after as many ticks as there were.
    fn clocked(&self) -> Result<(), String> {
        let ticks = i128::from(self.run.ticks());
        match self.state.memory.unrecorded().clock() {
            Some(clock) if !clock.contains(ticks) => return Err(format!("{ticks} ticks, not in {clock:?}")),
            Some(_) => {}
            None => return Ok(()),
        }
        for (local, clocked) in self.state.clocked.iter() {
            let scalar = self.run.register(local);
            if let Some(scalar @ (Scalar::Int(_) | Scalar::Float { .. })) = scalar
                && !fits_clock(*clocked, scalar, ticks)
            {
                return Err(format!("register {local} is {scalar:?} after {ticks} ticks, not {clocked:?}"));
            }
        }
        for thing in &self.things {
            // Where several names fit, one of them describes it: `memory` asks that of all that objects hold.
            let [name] = self.names(thing)[..] else { continue };
            let Some(obj) = self.state.object(name).filter(|_| thing.alive) else { continue };
            for (at, clocked) in obj.contents.clocked().iter() {
                let shape = clocked.shape();
                let bytes = thing.bytes.get(at as usize..).and_then(|b| b.get(..shape.bytes() as usize));
                let Some(bytes) = bytes else { continue };
                let mut raw = [0; 16];
                raw[..bytes.len()].copy_from_slice(bytes);
                let scalar = match shape {
                    Shape::Int(ty) => Scalar::Int(ty.wrap(i128::from_le_bytes(raw))),
                    Shape::Float(format, _) => Scalar::Float { bits: u128::from_le_bytes(raw), format },
                    Shape::Pointer(_) => continue,
                };
                if !fits_clock(*clocked, scalar, ticks) {
                    let kin = thing.kin;
                    return Err(format!("{kin:?} holds {scalar:?} after {ticks} ticks, not {clocked:?}"));
                }
            }
        }
        Ok(())
    }

    /// Bit-fields hold what was written to them.
    fn bit_fields(&self) -> Result<(), String> {
        for thing in &self.things {
            let [name] = self.names(thing)[..] else { continue };
            let Some(obj) = self.state.object(name).filter(|_| thing.alive) else { continue };
            for (field, value) in obj.contents.fields.iter() {
                let bit = |bits: &[u8], at: u64| {
                    u128::from(bits.get((at / 8) as usize).map_or(0, |b| b >> (at % 8) & 1))
                };
                let number = |bits: &[u8]| {
                    (0..u64::from(field.width)).fold(0, |n, i| n | bit(bits, field.first + i) << i) as i128
                };
                let all = (1i128 << field.width) - 1;
                let is_written = thing.written.is_empty() || number(thing.written) == all;
                let fits = match &value.kind {
                    _ if value.uninit => true,
                    Kind::Number(n) => is_written && n.contains(number(thing.bytes)),
                    _ => is_written,
                };
                if !fits {
                    return Err(format!(
                        "{field:?} of {:?} is {}, not {value:?}",
                        thing.kin,
                        number(thing.bytes)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Some byte is zero where one is said to be.
    fn nuls(&self) -> Result<(), String> {
        for (object, nul) in self.state.nuls.iter() {
            let Some(thing) = self.only(object) else { continue };
            let fits = |at: i128| {
                self.state.domains.relations.all().all(|(x, y, bound)| {
                    let value = |var: Var| if var == Var::Nul(object) { Some(at) } else { self.var(var) };
                    match (value(x), value(y)) {
                        (Some(a), Some(b)) => a - b <= bound,
                        _ => true,
                    }
                })
            };
            let zero = |at: u64| thing.bytes[at as usize] == 0 && is_written(thing, at, 1);
            let found = (0..thing.bytes.len() as u64)
                .any(|at| zero(at) && nul.at.contains(i128::from(at)) && fits(i128::from(at)));
            if !found {
                return Err(format!("{:?} has no zero byte as {nul:?} says", thing.kin));
            }
        }
        Ok(())
    }

    fn memory(&self) -> Result<(), String> {
        for thing in &self.things {
            let names = self.names(thing);
            if names.is_empty() && thing.kin != Kin::Other && !matches!(thing.kin, Kin::Function(_)) {
                return Err(format!("{:?} exists, which is not known", thing.kin));
            }
            // Where several names fit, one of them must describe it.
            let mut trouble = None;
            for name in names {
                match self.state.object(name) {
                    Some(obj) => match self.object(thing, obj) {
                        Ok(()) => {
                            trouble = None;
                            break;
                        }
                        Err(what) => trouble = Some(what),
                    },
                    None if matches!(thing.kin, Kin::Function(_)) => {}
                    None => {
                        trouble.get_or_insert_with(|| "it is said not to exist".to_owned());
                    }
                }
            }
            if let Some(trouble) = trouble {
                return Err(format!("{:?}: {trouble}", thing.kin));
            }
        }
        Ok(())
    }

    fn object(&self, thing: &Thing<'_>, obj: &Obj) -> Result<(), String> {
        let Life { alive, dead } = obj.life;
        if thing.alive && !alive || !thing.alive && !dead {
            return Err(format!("alive: {}, not in {:?}", thing.alive, obj.life));
        }
        if !obj.size.contains(i128::from(thing.size)) {
            return Err(format!("it has {} bytes, not in {:?}", thing.size, obj.size));
        }
        if !thing.alive {
            return Ok(());
        }
        self.nul(thing, &obj.contents)?;
        for (start, segment) in obj.contents.segments() {
            let element = u64::from(segment.element).max(1);
            let mut at = start;
            while at + element <= segment.end.min(thing.size) {
                if !self.element(thing, at, segment) {
                    let bytes = &thing.bytes[at as usize..(at + element) as usize];
                    return Err(format!(
                        "bytes {bytes:x?} at {at} (written: {}) are not in {:?}",
                        is_written(thing, at, element),
                        segment.value
                    ));
                }
                at += element;
            }
        }
        Ok(())
    }

    fn nul(&self, thing: &Thing<'_>, contents: &Contents) -> Result<(), String> {
        let Some((first, last)) = contents.nul() else { return Ok(()) };
        let range = first as usize..(last as usize + 1).min(thing.bytes.len());
        match thing.bytes.get(range) {
            Some(bytes) if bytes.contains(&0) => Ok(()),
            _ => Err(format!("no NUL among bytes {first} to {last}")),
        }
    }

    fn element(&self, thing: &Thing<'_>, at: u64, segment: &Segment) -> bool {
        let element = segment.element as usize;
        if !is_written(thing, at, element as u64) {
            return segment.value.uninit;
        }
        let bytes = &thing.bytes[at as usize..at as usize + element];
        let mut raw = [0; 16];
        let Some(low) = raw.get_mut(..element) else { return true };
        low.copy_from_slice(bytes);
        let unsigned = u128::from_le_bytes(raw);
        let unused = 128 - 8 * element as u32;
        let signed = (unsigned << unused) as i128 >> unused;
        match &segment.value.kind {
            // A cell does not say how it is read: it holds the number in one of the two forms.
            Kind::Number(n) => n.contains(signed) || element == 16 || n.contains(unsigned as i128),
            Kind::Float(f) => match element {
                4 => f.contains_bits(unsigned, Format::F32),
                8 => f.contains_bits(unsigned, Format::F64),
                _ => true,
            },
            // How a list of unnamed arguments looks inside is the machine's affair.
            Kind::Address(address) if address.targets.iter().any(|(o, _)| self.is_list(*o)) => true,
            Kind::Address(address) if element == 8 => {
                self.points(address, self.run.pointer(thing.id, at)) || self.holds(address, signed)
            }
            Kind::Address(_) | Kind::Any => true,
        }
    }

    fn is_list(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::VarArgs(_))
    }

    /// Equalities of registers with memory.
    fn cells(&self) -> Result<(), String> {
        for (local, definition) in self.state.definitions.iter() {
            if let (Definition::Cell(cell), Some(scalar)) = (definition, self.run.register(local))
                && let Some(found) = self.cell(cell)
                && scalar != Scalar::Uninitialised
                && !equal(scalar, found, cell.shape)
            {
                return Err(format!("register {local} is {scalar:?}, yet {cell:?} holds {found:#x}"));
            }
        }
        Ok(())
    }

    /// The object of the run that an abstract one stands for, if there is one.
    fn only(&self, object: ObjectId) -> Option<&Thing<'_>> {
        let mut things = self.things.iter().filter(|thing| self.names(thing).contains(&object));
        let (thing, None) = (things.next()?, things.next()) else { return None };
        Some(thing)
    }

    /// Sizes in terms of registers.
    fn extents(&self) -> Result<(), String> {
        for (object, extent) in self.state.symbolic.extents.iter() {
            if let Some(thing) = self.only(object)
                && let Some(Scalar::Int(value)) = self.run.register(extent.local)
                && let Some(bytes) = extent.scale.checked_mul(value).map(|v| v + extent.plus)
                && bytes != i128::from(thing.size)
                && !(extent.is_least && bytes < i128::from(thing.size))
            {
                return Err(format!("{:?} has {} bytes, with {value} in {extent:?}", thing.kin, thing.size));
            }
        }
        Ok(())
    }

    /// What is said of parts of objects, element by element.
    fn facts(&self) -> Result<(), String> {
        for (object, facts) in self.state.symbolic.segments.iter() {
            let Some(thing) = self.only(object) else { continue };
            facts.iter().try_for_each(|fact| self.fact(thing, fact))?;
        }
        Ok(())
    }

    fn fact(&self, thing: &Thing<'_>, fact: &SegmentFact) -> Result<(), String> {
        let number = |b: &Bound| match b.local {
            None => Some(b.plus),
            Some(local) => match self.run.register(local)? {
                Scalar::Int(value) => Some(value * b.times + b.plus),
                _ => None,
            },
        };
        let mut elements: Vec<(i128, i128)> = vec![(i128::from(fact.base), 0)];
        for span in &fact.spans {
            let (Some(from), Some(to)) = (number(&span.from), number(&span.to)) else { return Ok(()) };
            let to = to.min(from.saturating_add(MOST_ELEMENTS));
            let offset = |index: i128| i128::from(span.stride) * index;
            elements =
                elements.iter().flat_map(|(at, _)| (from..to).map(move |k| (at + offset(k), k))).collect();
        }
        let bytes = fact.shape.bytes();
        let segment = Segment { end: thing.size, element: bytes as u32, value: fact.claim.value.clone() };
        for (at, index) in elements {
            let Ok(at) = u64::try_from(at) else {
                return Err(format!("{:?}: {fact:?} is about what lies before it", thing.kin));
            };
            if at + bytes > thing.bytes.len() as u64 {
                continue;
            }
            if !self.element(thing, at, &segment) || !self.terms(thing, fact, at, index) {
                return Err(format!("{:?}: byte {at} is not as {fact:?} says", thing.kin));
            }
        }
        Ok(())
    }

    /// Whether the element at a byte of an object differs from the terms of a fact as it says.
    fn terms(&self, thing: &Thing<'_>, fact: &SegmentFact, at: u64, index: i128) -> bool {
        let Shape::Int(ty) = fact.shape else { return fact.claim.terms.is_empty() };
        let read = |thing: &Thing<'_>, at: u64| {
            let bytes = fact.shape.bytes() as usize;
            let found = thing.bytes.get(usize::try_from(at).ok()?..)?.get(..bytes)?;
            let mut raw = [0; 16];
            raw.get_mut(..bytes)?.copy_from_slice(found);
            Some(ty.wrap(i128::from_le_bytes(raw)))
        };
        let Some(mine) = read(thing, at) else { return true };
        fact.claim.terms.iter().all(|(term, difference)| {
            let other = match term {
                Term::Index => Some(index),
                Term::Register(local) => match self.run.register(*local) {
                    Some(Scalar::Int(value)) => Some(value),
                    _ => None,
                },
                Term::Element(object, base) => {
                    self.only(*object).and_then(|thing| read(thing, (at + base).checked_sub(fact.base)?))
                }
            };
            other.is_none_or(|other| difference.contains(mine - other))
        })
    }

    /// What is said of a few places together.
    fn tuples(&self) -> Result<(), String> {
        for pack in self.state.tuples.iter() {
            if let TupleFact::Tree(tree) = &pack.fact {
                self.tree(&pack.places, tree)?;
                continue;
            }
            let floats: Vec<f64> = pack.places.iter().filter_map(|place| self.float(place)).collect();
            let holds = match (&pack.fact, &floats[..]) {
                (TupleFact::Equal, [x, y]) => x == y || x.is_nan() && y.is_nan(),
                (TupleFact::Lag(lag), [x]) => lag_admits(lag, *x),
                (TupleFact::Filter(filter), [x, y]) => filter_admits(filter, *x, *y),
                // Not all of them are known.
                _ => true,
            };
            if !holds {
                return Err(format!("{floats:?} are not as {pack:?} says"));
            }
        }
        Ok(())
    }

    /// There is a leaf for the values of the flags, and it holds what the last place does.
    fn tree(&self, places: &[Place], tree: &Tree) -> Result<(), String> {
        let Some((x, flags)) = places.split_last() else { return Ok(()) };
        let flag = |place: &Place| match self.scalar(place)? {
            Scalar::Int(value) => Some(value),
            _ => None,
        };
        let Some(values) = flags.iter().map(flag).collect::<Option<Vec<i128>>>() else { return Ok(()) };
        let Some((_, leaf)) = tree.leaves().find(|(combination, _)| *combination == values) else {
            return Err(format!("{values:?} have no leaf in {tree:?} of {places:?}"));
        };
        let Some(scalar) = self.scalar(x) else { return Ok(()) };
        let holds = match (scalar, &leaf.kind) {
            (Scalar::Uninitialised, _) => leaf.uninit,
            _ if leaf.uninit => true,
            (Scalar::Int(value), Kind::Number(n)) => n.contains(value),
            (Scalar::Float { bits, format }, Kind::Float(f)) => f.contains_bits(bits, format),
            (Scalar::Pointer(pointer), Kind::Number(n)) => n.contains(i128::from(pointer.addr)),
            // Of pointers nothing else is said than that they are not null.
            (Scalar::Pointer(pointer), Kind::Address(_)) => pointer.addr != 0,
            (_, Kind::Any) => true,
            _ => false,
        };
        match holds {
            true => Ok(()),
            false => Err(format!("{scalar:?} is not in {leaf:?}, which {values:?} lead to in {places:?}")),
        }
    }

    /// What a place holds; none if it has no value of its own, or if there may be several such places.
    fn scalar(&self, place: &Place) -> Option<Scalar> {
        let cell = match place {
            Place::Register(local) => return self.run.register(*local),
            Place::Cell(cell) => cell,
        };
        let thing = self.only(cell.object)?;
        let Some(bits) = self.cell(cell) else {
            let written = is_written(thing, cell.offset, cell.shape.bytes());
            return (!written).then_some(Scalar::Uninitialised);
        };
        Some(match cell.shape {
            Shape::Int(ty) => Scalar::Int(ty.wrap(bits as i128)),
            Shape::Float(format, _) => Scalar::Float { bits, format },
            Shape::Pointer(_) => Scalar::Pointer(Pointer { addr: bits as u64, object: None }),
        })
    }

    /// The float in a place.
    fn float(&self, place: &Place) -> Option<f64> {
        let (bits, format) = match place {
            Place::Register(local) => match self.run.register(*local)? {
                Scalar::Float { bits, format } => (bits, format),
                _ => return None,
            },
            Place::Cell(cell) => match cell.shape {
                Shape::Float(format, _) => (self.cell(cell)?, format),
                _ => return None,
            },
        };
        Some(clew_base::float::Float::from_bits(format, bits).to_f64())
    }

    /// The bits in a cell of an object that there is one of.
    fn cell(&self, cell: &Cell) -> Option<u128> {
        let thing = self.only(cell.object)?;
        let (start, bytes) = (usize::try_from(cell.offset).ok()?, cell.shape.bytes() as usize);
        let found = thing.bytes.get(start..start.checked_add(bytes)?)?;
        let mut raw = [0; 16];
        raw.get_mut(..bytes)?.copy_from_slice(found);
        is_written(thing, cell.offset, bytes as u64).then(|| u128::from_le_bytes(raw))
    }

    fn admits(&self, value: &Value, scalar: Scalar) -> bool {
        match (scalar, &value.kind) {
            (Scalar::Uninitialised, _) => value.uninit,
            (_, Kind::Any) => true,
            (Scalar::Int(v), Kind::Number(n)) => n.contains(v),
            (Scalar::Int(v), Kind::Address(address)) => self.holds(address, v),
            (Scalar::Float { bits, format }, Kind::Float(f)) => f.contains_bits(bits, format),
            (Scalar::Pointer(pointer), kind) => self.points(&kind.to_address(), pointer),
            (Scalar::Int(_), Kind::Float(_)) | (Scalar::Float { .. }, _) => false,
        }
    }

    /// Whether an integer may be the number, or the address of a place in one of the objects.
    fn holds(&self, address: &Address, value: i128) -> bool {
        let is_number =
            address.number.is_some_and(|n| n.contains(value) || n.contains(value & u64::MAX as i128));
        let inside = |thing: &Thing<'_>| {
            let names = self.names(thing);
            let offset = (value as u64).wrapping_sub(thing.base) as i64;
            address.targets.iter().any(|(o, at)| names.contains(o) && at.contains(i128::from(offset)))
        };
        is_number || address.unknown || self.things.iter().any(inside)
    }

    fn points(&self, address: &Address, pointer: Pointer) -> bool {
        let Some(id) = pointer.object else {
            return address.unknown || address.number.is_some_and(|n| n.contains(i128::from(pointer.addr)));
        };
        // What has been dead for long has no name any more.
        let Some(thing) = self.run.object(id) else { return true };
        let names = self.names(&thing);
        let offset = i128::from(pointer.addr.wrapping_sub(thing.base) as i64);
        address.unknown
            || thing.kin == Kin::Other
            || address.targets.iter().any(|(o, at)| names.contains(o) && at.contains(offset))
    }

    /// The abstract objects that may stand for an object of the run.
    fn names(&self, thing: &Thing<'_>) -> Vec<ObjectId> {
        let find = |object: Object| self.objects.find(&object);
        match thing.kin {
            Kin::Global(global) => find(Object::Global(global)).into_iter().collect(),
            Kin::Local(function, local) => {
                let running = find(Object::Local(function, local));
                if thing.alive {
                    return running.into_iter().collect();
                }
                // One object may stand for the locals of several calls, some of which have ended.
                let ended = |id: &ObjectId| self.state.object(*id).is_some_and(|obj| obj.life.dead);
                find(Object::DeadLocal(function, local)).into_iter().chain(running.filter(ended)).collect()
            }
            Kin::Heap { call, latest } => {
                let mut made = self.objects.allocated_at(call);
                made.retain(|id| latest || matches!(self.objects.get(*id), Object::Older(..)));
                made
            }
            Kin::Alloca { site, latest } => {
                let last = find(Object::Alloca(site)).filter(|_| latest);
                last.into_iter().chain(find(Object::OlderAlloca(site))).collect()
            }
            Kin::Function(function) => find(Object::Function(function)).into_iter().collect(),
            Kin::Other => Vec::new(),
        }
    }
}

/// Whether a scalar may be this after so many ticks.
fn fits_clock(clocked: Clocked, scalar: Scalar, ticks: i128) -> bool {
    match (clocked, scalar) {
        (Clocked::Counter(counter), Scalar::Int(value)) => counter.contains(value, ticks),
        (Clocked::Progression(progression), Scalar::Float { bits, format }) => {
            progression.contains(clew_base::float::Float::from_bits(format, bits).to_f64(), ticks)
        }
        _ => false,
    }
}

fn is_written(thing: &Thing<'_>, at: u64, bytes: u64) -> bool {
    let mask = thing.written.get(at as usize..(at + bytes) as usize);
    mask.is_none_or(|mask| mask.iter().all(|m| *m == 0xff))
}

/// Whether a register and the bits of a cell are the same value.
pub(crate) fn equal(scalar: Scalar, bits: u128, shape: Shape) -> bool {
    let unused = 128 - 8 * (shape.bytes() as u32).min(16);
    let value = match scalar {
        Scalar::Uninitialised => return true,
        Scalar::Int(value) => value as u128,
        Scalar::Float { bits, .. } => bits,
        Scalar::Pointer(pointer) => u128::from(pointer.addr),
    };
    value << unused == bits << unused
}
