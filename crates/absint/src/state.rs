// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known at one point of a run: registers, memory, equalities, and what the knowledge rests on.

pub(crate) mod array_segments;
mod clocked;
pub(crate) mod given;
pub(crate) mod partition;
pub(crate) mod symbolic;
mod tuples;
mod variables;

use std::sync::Arc;

use clew_base::index_types;
use clew_ir::syntax::{ExprId, LocalId};

use crate::domain::access::Accesses;
use crate::domain::clocked::Clocked;
use crate::domain::int::Int;
use crate::domain::linear::Sum;
use crate::domain::place::Cell;
use crate::domain::product::{Known, Product};
use crate::domain::tuple::Tuples;
use crate::domain::value::Value;
use crate::map::{Change, Map, Merge};
use crate::memory::contents::widening;
use crate::memory::footprint::ClockView;
use crate::memory::nul_position::{MergeNuls, Nul};
use crate::memory::object::Obj;
use crate::memory::recorded::Memory;
use crate::program::object::{ObjectId, Site};
use crate::program::thresholds::Thresholds;
use crate::state::given::Given;
use crate::state::partition::Partition;
use crate::state::symbolic::Symbolic;

index_types! {
    /// An obligation whose violation was pruned, or something that was not understood, by its number in the results.
    PruningId = "pruning";
}

/// What a register is known to equal until one of its parts is written.
#[derive(Clone, PartialEq, Debug)]
pub enum Definition {
    /// The value of an expression of the function.
    Expr(ExprId),
    /// What stands in memory, there.
    Cell(Cell),
    /// The value of a parameter: said of the result of a function where it returns.
    Parameter(LocalId),
    /// What stands at the place that a load of the function reads, somewhere in that object, if that was written.
    Loaded(ObjectId, Site),
}

/// Something that has a value in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// A register.
    Register(LocalId),
    /// An object.
    Object(ObjectId),
}

/// What registers hold, by local. Only this module changes it: a register that gets another value is another register to every
/// relational domain, and [`State::write_register`] tells all of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Registers(Map<LocalId, Value>);

/// What is known. There is no state for "no run comes here": that is `Option::None`.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The registers of the running function, by local. One that is not here was not assigned.
    pub registers: Registers,
    /// Equalities, by local.
    pub definitions: Map<LocalId, Definition>,
    /// Registers against the clock.
    pub clocked: Map<LocalId, Clocked>,
    /// Relations between registers, by all domains.
    pub domains: Product,
    /// What accesses have shown of the objects that registers point into.
    pub accesses: Accesses,
    /// What is known of objects in terms of registers.
    pub symbolic: Symbolic,
    /// Bytes of objects that are zero, by object.
    pub nuls: Map<ObjectId, Nul>,
    /// What is known of a few places together.
    pub tuples: Tuples,
    /// The objects.
    pub memory: Memory,
    /// Obligations whose violation was pruned on the way: proofs from here on rest on them.
    pub given: Given,
    /// The parameters that still have the values they came with.
    pub unwritten: Map<LocalId, u8>,
    /// Which part of a value the runs are in, by the site where they were told apart. It says nothing: it only keeps
    /// states apart that are better not joined yet.
    pub tokens: Map<Partition, u8>,
}

struct JoinValues<F>(F);
impl<F: FnMut(&Value, &Value) -> Value> Merge<LocalId, Value> for JoinValues<F> {
    fn both(&mut self, _: LocalId, a: &Value, b: &Value) -> Change<Value> {
        let joined = (self.0)(a, b);
        if joined == *a { Change::Keep } else { Change::To(joined) }
    }
    fn left(&mut self, _: LocalId, value: &Value) -> Change<Value> {
        unassigned(value)
    }
    fn right(&mut self, _: LocalId, value: &Value) -> Change<Value> {
        unassigned(value)
    }
}

/// Assigned on one path only.
fn unassigned(value: &Value) -> Change<Value> {
    if value.uninit { Change::Keep } else { Change::To(Value { uninit: true, ..value.clone() }) }
}

struct JoinObjects<'a, F, S> {
    values: &'a mut F,
    sizes: &'a mut S,
    /// The two clocks.
    clocks: [Option<ClockView<'a>>; 2],
    widens: bool,
}
impl<F, S> Merge<ObjectId, Arc<Obj>> for JoinObjects<'_, F, S>
where
    F: FnMut(&Value, &Value) -> Value,
    S: FnMut(&Int, &Int) -> Int,
{
    const KEEPS_ALONE: bool = true;
    fn both(&mut self, _: ObjectId, a: &Arc<Obj>, b: &Arc<Obj>) -> Change<Arc<Obj>> {
        if Arc::ptr_eq(a, b) {
            return Change::Keep;
        }
        let mut contents = a.contents.merge(&b.contents, self.values, self.sizes);
        contents.merge_clocked(&a.contents, &b.contents, self.clocks, self.widens);
        let joined = Obj { life: a.life.join(b.life), size: (self.sizes)(&a.size, &b.size), contents };
        if joined == **a { Change::Keep } else { Change::To(Arc::new(joined)) }
    }
}

/// Keeps what both say alike.
struct Common;
impl Merge<LocalId, Definition> for Common {
    fn both(&mut self, _: LocalId, a: &Definition, b: &Definition) -> Change<Definition> {
        if a == b { Change::Keep } else { Change::Drop }
    }
    fn left(&mut self, _: LocalId, _: &Definition) -> Change<Definition> {
        Change::Drop
    }
    fn right(&mut self, _: LocalId, _: &Definition) -> Change<Definition> {
        Change::Drop
    }
}

struct SamePart;
impl<K> Merge<K, u8> for SamePart {
    fn both(&mut self, _: K, a: &u8, b: &u8) -> Change<u8> {
        if a == b { Change::Keep } else { Change::Drop }
    }
    fn left(&mut self, _: K, _: &u8) -> Change<u8> {
        Change::Drop
    }
    fn right(&mut self, _: K, _: &u8) -> Change<u8> {
        Change::Drop
    }
}

impl State {
    /// Nothing is known but the memory.
    pub fn new(memory: Memory) -> State {
        State {
            registers: Registers::default(),
            definitions: Map::default(),
            clocked: Map::default(),
            domains: Product::default(),
            accesses: Accesses::default(),
            symbolic: Symbolic::default(),
            nuls: Map::default(),
            tuples: Tuples::default(),
            memory,
            given: Given::default(),
            unwritten: Map::default(),
            tokens: Map::default(),
        }
    }

    /// The memory alone, and what it rests on: what is left where no function is running.
    #[must_use]
    pub fn memory_alone(&self) -> State {
        State { given: self.given.clone(), ..State::new(self.memory.clone()) }
    }

    fn merge(
        &self,
        other: &State,
        values: &mut impl FnMut(&Value, &Value) -> Value,
        sizes: &mut impl FnMut(&Int, &Int) -> Int,
        domains: Product,
        thresholds: Option<&Thresholds>,
    ) -> State {
        let clocks = [self.memory.clock_view(), other.memory.clock_view()];
        let widens = thresholds.is_some();
        State {
            symbolic: self.symbolic.merge(&other.symbolic, self, other, values, thresholds.is_some()),
            registers: Registers(self.registers.0.merge(&other.registers.0, &mut JoinValues(&mut *values))),
            definitions: self.definitions.merge(&other.definitions, &mut Common),
            clocked: self.merge_clocked(other, widens),
            domains,
            accesses: self.accesses.merge(&other.accesses, widens),
            tuples: self.tuples.merge(&other.tuples, self, other, thresholds),
            nuls: self.nuls.merge(&other.nuls, &mut MergeNuls(sizes)),
            memory: self.memory.merge(
                &other.memory,
                &mut JoinObjects { values, sizes, clocks, widens },
                widens,
            ),
            given: self.given.union(&other.given),
            unwritten: self.unwritten.merge(&other.unwritten, &mut SamePart),
            tokens: self.tokens.merge(&other.tokens, &mut SamePart),
        }
    }

    /// What holds after one or the other.
    #[must_use]
    pub fn join(&self, other: &State) -> State {
        let domains = self.domains.join(&other.domains, self, other);
        self.merge(other, &mut |a, b| a.join(b), &mut |a, b| a.join(b), domains, None)
    }

    /// The join, or more, so that loops come to an end.
    #[must_use]
    pub fn widen(&self, next: &State, thresholds: &Thresholds) -> State {
        let sizes = &mut |a: &Int, b: &Int| a.widen(b, &thresholds.ints);
        let domains = self.domains.widen(&next.domains, next, thresholds);
        self.merge(next, &mut widening(thresholds), sizes, domains, Some(thresholds))
    }

    /// Between this and the smaller `next`.
    #[must_use]
    pub fn narrow(&self, next: &State) -> State {
        let mut narrowed = next.clone();
        let mut narrow = JoinValues(|a: &Value, b: &Value| a.narrow(b));
        narrowed.registers = Registers(self.registers.0.merge(&next.registers.0, &mut narrow));
        narrowed
    }

    /// Whether every run that this describes is described by the other.
    pub fn is_subset(&self, other: &State) -> bool {
        self.memory.is_within(&other.memory)
            && self.is_subset_but_memory(other)
            && self.given.is_subset(&other.given)
    }

    /// The same, but for the memory and what it rests on.
    pub fn is_subset_but_memory(&self, other: &State) -> bool {
        self.registers_within(other)
            && self.clocked_within(other)
            && other.definitions_within(self)
            && other.unwritten.iter().all(|(local, _)| self.unwritten.get(local).is_some())
            && other.domains.is_implied_by(&self.domains, self)
            && other.accesses.is_implied_by(&self.accesses)
            && self.nuls_within(other)
            && other.symbolic.is_implied_by(&self.symbolic, self)
            && other.tuples.is_implied_by(&self.tuples, self)
    }

    /// The registers and objects that are not within those of another state.
    pub fn outside(&self, other: &State) -> Vec<Name> {
        let mut names = Vec::new();
        self.registers.0.all_mine(&other.registers.0, &mut |local, value, there| {
            if !there.is_some_and(|there| value.is_subset(there)) {
                names.push(Name::Register(local));
            }
            true
        });
        self.memory.all_mine(&other.memory, &mut |object, mine, there| {
            if !there.is_some_and(|there| mine.contents.is_subset(&there.contents)) {
                names.push(Name::Object(object));
            }
            true
        });
        names
    }

    fn registers_within(&self, other: &State) -> bool {
        let within = |value: &Value, there: Option<&Value>| there.is_some_and(|there| value.is_subset(there));
        // What is assigned there and not here must be allowed to be unassigned.
        self.registers.0.all_pairs(
            &other.registers.0,
            &mut |_, value, there| within(value, there),
            &mut |_, there| there.uninit,
        )
    }

    fn nuls_within(&self, other: &State) -> bool {
        let within = |mine: &Nul, there: &Nul| mine.at.is_subset(&there.at) && (there.fresh || !mine.fresh);
        other.nuls.all_mine(&self.nuls, &mut |_, there, mine| mine.is_some_and(|mine| within(mine, there)))
    }

    /// Whether all equalities of this hold in the other.
    fn definitions_within(&self, other: &State) -> bool {
        self.definitions.is_same(&other.definitions)
            || self.definitions.iter().all(|(local, d)| other.definitions.get(local) == Some(d))
    }

    /// The registers of the running function, by local. One that is not here was not assigned.
    pub fn registers(&self) -> &Map<LocalId, Value> {
        &self.registers.0
    }

    /// A register gets another value: every relational domain says what it knows of it now, or follows the sum of registers that
    /// it is, or forgets what it was.
    pub(crate) fn write_register(&mut self, local: LocalId, value: Value, known: Known, sum: Option<&Sum>) {
        self.domains.assign(local, known, sum);
        self.registers.0.insert(local, value);
    }

    /// A register has no value any more.
    pub(crate) fn end_register(&mut self, local: LocalId) {
        self.domains.forget(local);
        self.registers.0.remove(local);
    }

    /// A register has the value that it had, of which more is known.
    pub(crate) fn refine_register(&mut self, local: LocalId, value: Value) {
        self.registers.0.insert(local, value);
    }

    /// A register gets its first value: nothing was said of it before.
    pub(crate) fn begin_register(&mut self, local: LocalId, value: Value) {
        self.registers.0.insert(local, value);
    }

    /// Registers keep the values that they have, said in other words, or none of which anything is read any more.
    pub(crate) fn map_registers(&mut self, change: &mut impl FnMut(LocalId, &Value) -> Change<Value>) {
        self.registers.0 = self.registers.0.filter_map(change);
    }

    /// The value of a register as it was assigned.
    pub fn register(&self, local: LocalId) -> Value {
        self.registers.0.get(local).cloned().unwrap_or_else(Value::uninitialised)
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> Option<&Arc<Obj>> {
        self.memory.get(id)
    }

    /// Puts an object.
    pub fn set_object(&mut self, id: ObjectId, obj: Obj) {
        self.memory.insert(id, Arc::new(obj));
    }

    /// Forgets equalities with cells of an object that a write to these bytes may change.
    pub fn forget_definitions(&mut self, object: Option<ObjectId>, from: u64, to: u64) {
        let stale = |cell: &Cell| {
            object.is_none_or(|o| o == cell.object)
                && cell.offset < to
                && from < cell.offset.saturating_add(cell.shape.bytes())
        };
        let ends = |definition: &Definition| match definition {
            Definition::Cell(cell) => stale(cell),
            Definition::Loaded(from, _) => object.is_none_or(|o| o == *from),
            Definition::Expr(_) | Definition::Parameter(_) => false,
        };
        if self.definitions.iter().any(|(_, d)| ends(d)) {
            let kept = &mut |_, d: &Definition| if ends(d) { Change::Drop } else { Change::Keep };
            self.definitions = self.definitions.filter_map(kept);
        }
    }
}
