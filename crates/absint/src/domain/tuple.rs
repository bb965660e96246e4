// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts about a few places together that survive loop heads and calls: tuples (paper 004, 6.2 and 7.2).
//!
//! A [`Tuple`] is a short list of places, registers or scalars in memory, and one [`TupleFact`] about their values. Tuples are
//! found on the way, where the program does what a kind of fact is about. A kind of fact is one file under `tuple/`
//! and a variant of [`TupleFact`], which says what becomes of it where two paths meet, what a single place may be by it,
//! and what it is where only ranges are known; all the rest is here:
//!
//! - **Where they are.** Tuples of memory alone are in a persistent map by a number that [`Index`] gives them: joins,
//!   widenings and inclusion cost the difference, and a write to an object looks up its tuples alone. Tuples with
//!   a register are few and belong to the running function.
//! - **What ends them.** A write to a place, in whatever way ([`State::forget_cells`] is called for all of them, with
//!   the index, so that none can be forgotten): the tuple moves to places that hold the same value, if there are
//!   any, else it ends, and what it said of the other places is left to their ranges. Objects that stand for several
//!   have no tuples, nor have those that are made and thrown away without a write.
//! - **Calls.** Tuples of memory go into the callee and come back. `summary` compares those that have a place in an
//!   object that the call looked at: a call can neither use nor change others, since each use begins with an object.
//!
//! Measured: nothing of the dev lists is lost without filters and lags, and 170 of 2,978 proofs in 10,000 lines of
//! `bench synchronous`, where they cost 1.7 of 10 s.

pub mod filter;
pub mod response;
pub mod tree;

use std::sync::Arc;

use clew_base::index::Idx;
use clew_base::index_types;
use clew_ir::syntax::FuncId;
use rustc_hash::FxHashMap;

use crate::domain::place::Place;
use crate::domain::range::Range;
use crate::domain::ranges::Ranges;
use crate::domain::shape::Shape;
use crate::domain::tuple::filter::{Filter, Lag};
use crate::domain::tuple::response::Response;
use crate::domain::tuple::tree::Tree;
use crate::effort::tuple::{MOST_TREES_WITH_REGISTERS, MOST_WITH_REGISTERS};
use crate::map::{Change, Map, Merge, handle_keys};
use crate::program::object::ObjectId;
use crate::program::shifts::Shifts;
use crate::program::thresholds::Thresholds;

index_types! {
    /// A tuple of places in memory, by its number in [`Index`].
    TupleId = "tuple";
}
handle_keys!(TupleId);

/// What is known of the values of a tuple's places.
#[derive(Clone, PartialEq, Debug)]
pub enum TupleFact {
    /// Both are equal.
    Equal,
    /// One place is a lag.
    Lag(Lag),
    /// Two places are the state of a filter.
    Filter(Filter),
    /// All but the last are flags, which decide on the last.
    Tree(Tree),
    /// Nothing: what was known grew for ever, and widening does not take up the like again.
    GivenUp(Group),
}

/// A few places and what is known of them together.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuple {
    /// The places; the fact says what each is to it.
    pub places: Vec<Place>,
    /// What is known.
    pub fact: TupleFact,
}

/// The tuples of a state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tuples {
    /// Those whose places are all in memory, by their number.
    pub cells: Map<TupleId, Arc<Tuple>>,
    /// Those with a register, in the order of their making.
    pub registers: Arc<Vec<Tuple>>,
}

/// Kinds of facts of which a tuple has one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Lags.
    Lag,
    /// Filters, and pairs that are equal.
    Pair,
    /// Decision trees.
    Tree,
}

/// A place as a number, registers with their function.
pub(crate) type Key = (u64, u64);

/// The tuples of memory that one analysis has met, and what it has seen of their making.
#[derive(Default)]
pub struct Index {
    known: Vec<(Group, Vec<Place>)>,
    of_object: FxHashMap<ObjectId, Vec<TupleId>>,
    /// The responses of filters that have been computed.
    responses: FxHashMap<(u64, u64), Option<Arc<Response>>>,
    /// What was seen to be copied to a place, directly or not.
    pub(crate) sources: FxHashMap<Key, Vec<Key>>,
    pub(crate) shifts: FxHashMap<FuncId, std::rc::Rc<Shifts>>,
}

impl TupleFact {
    fn group(&self) -> Group {
        match self {
            TupleFact::Lag(_) => Group::Lag,
            TupleFact::Equal | TupleFact::Filter(_) => Group::Pair,
            TupleFact::Tree(_) => Group::Tree,
            TupleFact::GivenUp(group) => *group,
        }
    }

    /// What one place may be; none where the fact says nothing of it alone. The value is a number, and finite.
    pub fn range(&self, at: usize) -> Option<Range> {
        match self {
            TupleFact::Equal | TupleFact::Tree(_) | TupleFact::GivenUp(_) => None,
            TupleFact::Lag(lag) => Some(lag.range()),
            TupleFact::Filter(filter) => Some(filter.range(at)),
        }
    }

    /// What holds after one or the other of two facts of a kind; none where that needs ranges.
    fn merge(&self, other: &TupleFact, thresholds: Option<&[f64]>) -> Option<TupleFact> {
        match (self, other) {
            (TupleFact::Equal, TupleFact::Equal) => Some(TupleFact::Equal),
            (TupleFact::Lag(a), TupleFact::Lag(b)) => a.merge(b, thresholds).map(TupleFact::Lag),
            (TupleFact::Filter(a), TupleFact::Filter(b)) => a.merge(b, thresholds).map(TupleFact::Filter),
            (TupleFact::GivenUp(group), _) | (_, TupleFact::GivenUp(group)) => {
                Some(TupleFact::GivenUp(*group))
            }
            _ => None,
        }
    }

    /// What a copy of a place takes along.
    pub(crate) fn is_copied(&self) -> bool {
        matches!(self, TupleFact::Lag(_) | TupleFact::Filter(_))
    }

    /// What holds after this or where only the ranges of a state are known, and perhaps that places are equal.
    fn merge_with_ranges(&self, places: &[Place], side: &Side<'_>) -> Option<TupleFact> {
        match (self, places) {
            (TupleFact::Lag(lag), [x]) => {
                let thresholds = side.floats().filter(|_| side.is_next);
                lag.or_begun(side.state.place_range(x)?, thresholds).map(TupleFact::Lag)
            }
            (TupleFact::Filter(filter), [x, y]) => {
                let (x, y) = (side.state.place_range(x)?, side.state.place_range(y)?);
                let begun = filter.begun(x, y, side.equal)?;
                let merged = match side.is_next {
                    true => filter.merge(&begun, side.floats()),
                    // Nothing has grown yet, unless nothing new is wanted any more.
                    false if side.wants_nothing_new() => None,
                    false => begun.merge(filter, None),
                };
                merged.map(TupleFact::Filter)
            }
            (TupleFact::Tree(tree), places) => {
                let known = Tree::of(places, side.state, tree.is_pointer())?;
                let merged = match side.is_next {
                    true => tree.merge(&known, side.thresholds),
                    false if side.wants_nothing_new() => None,
                    false => known.merge(tree, None),
                };
                merged.map(TupleFact::Tree)
            }
            (TupleFact::GivenUp(group), _) => Some(TupleFact::GivenUp(*group)),
            _ => None,
        }
    }

    fn is_within(&self, other: &TupleFact) -> bool {
        match (self, other) {
            (TupleFact::Equal, TupleFact::Equal) => true,
            (TupleFact::Lag(a), TupleFact::Lag(b)) => a.is_within(b),
            (TupleFact::Filter(a), TupleFact::Filter(b)) => a.is_within(b),
            (TupleFact::Tree(a), TupleFact::Tree(b)) => a.is_within(b),
            (_, TupleFact::GivenUp(_)) => true,
            _ => false,
        }
    }

    /// Whether the ranges of a state imply it, and perhaps that places are equal.
    fn is_implied(&self, places: &[Place], state: &dyn Ranges, equal: bool) -> bool {
        match (self, places) {
            (TupleFact::Lag(lag), [x]) => state.place_range(x).is_some_and(|x| x.is_within(lag.range())),
            (TupleFact::Filter(filter), [x, y]) => {
                let ranges = state.place_range(x).zip(state.place_range(y));
                let begun = ranges.and_then(|(x, y)| filter.begun(x, y, equal));
                begun.is_some_and(|begun| begun.is_within(filter))
            }
            (TupleFact::Tree(tree), places) => {
                let known = Tree::of(places, state, tree.is_pointer());
                known.is_some_and(|known| known.is_within(tree))
            }
            (TupleFact::GivenUp(_), _) => true,
            _ => false,
        }
    }
}

/// Where a fact is not known.
struct Side<'a> {
    state: &'a dyn Ranges,
    /// Whether the places are known to be equal.
    equal: bool,
    /// Whether it is the later of two states.
    is_next: bool,
    thresholds: Option<&'a Thresholds>,
}

impl<'a> Side<'a> {
    fn floats(&self) -> Option<&'a [f64]> {
        self.thresholds.map(|thresholds| &thresholds.floats[..])
    }

    fn wants_nothing_new(&self) -> bool {
        self.thresholds.is_some_and(|thresholds| thresholds.floats.is_empty())
    }
}

impl Tuple {
    pub(crate) fn mentions(&self, of: impl Fn(&Place) -> bool) -> bool {
        self.places.iter().any(of)
    }

    /// The fact, with what the ranges of its state say.
    fn fact_in(&self, state: &dyn Ranges) -> std::borrow::Cow<'_, TupleFact> {
        use std::borrow::Cow;
        match &self.fact {
            TupleFact::Tree(tree) => match tree.within(&self.places, state) {
                Some(tree) => Cow::Owned(TupleFact::Tree(tree)),
                None => Cow::Borrowed(&self.fact),
            },
            fact => Cow::Borrowed(fact),
        }
    }

    /// Whether no run is in the state and as the fact says: a merge leaves such a side out, so must an inclusion.
    fn cannot_be(&self, state: &dyn Ranges) -> bool {
        matches!(&self.fact, TupleFact::Tree(tree) if tree.within(&self.places, state).is_none())
    }

    pub(crate) fn is_same(&self, other: &Tuple) -> bool {
        self.fact.group() == other.fact.group() && self.places == other.places
    }

    pub(crate) fn in_memory(&self) -> bool {
        self.places.iter().all(|p| p.cell().is_some())
    }

    /// With another place; none if that makes two of its places one.
    pub(crate) fn moved(&self, from: &Place, to: Place) -> Option<Tuple> {
        if self.places.contains(&to) {
            return None;
        }
        let places = self.places.iter().map(|p| if p == from { to } else { *p }).collect();
        Some(Tuple { places, fact: self.fact.clone() })
    }
}

impl Index {
    /// The number of a tuple of memory.
    pub(crate) fn id(&mut self, tuple: &Tuple) -> TupleId {
        let group = tuple.fact.group();
        let object = tuple.places.first().and_then(Place::cell).map(|cell| cell.object);
        let list = object.and_then(|object| self.of_object.get(&object));
        let same = |id: &&TupleId| {
            let (known, places) = &self.known[id.index()];
            *known == group && *places == tuple.places
        };
        if let Some(id) = list.and_then(|list| list.iter().find(same)) {
            return *id;
        }
        let id = TupleId::new(self.known.len());
        self.known.push((group, tuple.places.clone()));
        for cell in tuple.places.iter().filter_map(Place::cell) {
            let list = self.of_object.entry(cell.object).or_default();
            if list.last() != Some(&id) {
                list.push(id);
            }
        }
        id
    }

    /// The numbers of the tuples with a place in an object.
    pub fn of(&self, object: ObjectId) -> impl Iterator<Item = TupleId> + '_ {
        self.of_object.get(&object).into_iter().flatten().copied()
    }

    /// The response of a filter, if it is stable.
    pub(crate) fn response(&mut self, a: f64, b: f64) -> Option<Arc<Response>> {
        let found = self.responses.entry((a.to_bits(), b.to_bits()));
        found.or_insert_with(|| Response::new(a, b).map(Arc::new)).clone()
    }
}

struct MergeTuples<'a> {
    here: &'a dyn Ranges,
    there: &'a dyn Ranges,
    thresholds: Option<&'a Thresholds>,
}

impl MergeTuples<'_> {
    fn both_facts(&self, a: &Tuple, b: &Tuple) -> Option<TupleFact> {
        match (&a.fact, &b.fact) {
            (TupleFact::Equal, TupleFact::Filter(_)) => self.right_fact(b, true),
            (TupleFact::Filter(_), TupleFact::Equal) => self.left_fact(a, true),
            (TupleFact::Equal, TupleFact::Equal) => Some(TupleFact::Equal),
            (TupleFact::Tree(mine), TupleFact::Tree(theirs)) => {
                let merged = self.trees(&a.places, mine, theirs);
                // Where nothing new is wanted any more, what still changes is given up.
                let settled = |tree: &Tree| !self.wants_nothing_new() || tree == mine;
                self.or_given_up(&a.fact, merged.filter(settled).map(TupleFact::Tree))
            }
            (one, other) => {
                let floats = self.thresholds.map(|thresholds| &thresholds.floats[..]);
                self.or_given_up(one, one.merge(other, floats))
            }
        }
    }

    fn wants_nothing_new(&self) -> bool {
        self.thresholds.is_some_and(|thresholds| thresholds.floats.is_empty())
    }

    /// Each tree with what the ranges around it say. What is widened stays as it is, or it might grow for ever.
    fn trees(&self, places: &[Place], mine: &Tree, theirs: &Tree) -> Option<Tree> {
        let mine = match self.thresholds {
            Some(_) => Some(mine.clone()),
            None => mine.within(places, self.here),
        };
        match (mine, theirs.within(places, self.there)) {
            (Some(mine), Some(theirs)) => mine.merge(&theirs, self.thresholds),
            (one, other) => one.or(other),
        }
    }
    fn left_fact(&self, a: &Tuple, equal: bool) -> Option<TupleFact> {
        let side = Side { state: self.there, equal, is_next: true, thresholds: self.thresholds };
        self.or_given_up(&a.fact, a.fact.merge_with_ranges(&a.places, &side))
    }
    /// What widening loses is not taken up again, or loops might not come to an end.
    fn or_given_up(&self, before: &TupleFact, after: Option<TupleFact>) -> Option<TupleFact> {
        let given_up = || self.thresholds.map(|_| TupleFact::GivenUp(before.group()));
        after.or_else(|| given_up().filter(|_| *before != TupleFact::Equal))
    }
    fn right_fact(&self, b: &Tuple, equal: bool) -> Option<TupleFact> {
        let side = Side { state: self.here, equal, is_next: false, thresholds: self.thresholds };
        b.fact.merge_with_ranges(&b.places, &side)
    }
}

fn change(tuple: &Arc<Tuple>, fact: Option<TupleFact>) -> Change<Arc<Tuple>> {
    match fact {
        None => Change::Drop,
        Some(fact) if fact == tuple.fact => Change::Keep,
        Some(fact) => Change::To(Arc::new(Tuple { places: tuple.places.clone(), fact })),
    }
}

impl Merge<TupleId, Arc<Tuple>> for MergeTuples<'_> {
    fn both(&mut self, _: TupleId, a: &Arc<Tuple>, b: &Arc<Tuple>) -> Change<Arc<Tuple>> {
        if Arc::ptr_eq(a, b) {
            return Change::Keep;
        }
        change(a, self.both_facts(a, b))
    }
    fn left(&mut self, _: TupleId, a: &Arc<Tuple>) -> Change<Arc<Tuple>> {
        change(a, self.left_fact(a, false))
    }
    fn right(&mut self, _: TupleId, b: &Arc<Tuple>) -> Change<Arc<Tuple>> {
        change(b, self.right_fact(b, false))
    }
}

impl Tuples {
    /// What holds after one or the other; widened if there are thresholds. The states are those they belong to.
    #[must_use]
    pub fn merge(
        &self,
        other: &Tuples,
        here: &dyn Ranges,
        there: &dyn Ranges,
        thresholds: Option<&Thresholds>,
    ) -> Tuples {
        let mut how = MergeTuples { here, there, thresholds };
        let cells = self.cells.merge(&other.cells, &mut how);
        if Arc::ptr_eq(&self.registers, &other.registers) {
            return Tuples { cells, registers: self.registers.clone() };
        }
        let mut registers = Vec::new();
        let put = |tuple: &Tuple, fact: Option<TupleFact>| {
            fact.map(|fact| Tuple { places: tuple.places.clone(), fact })
        };
        for a in self.registers.iter() {
            registers.extend(match other.registers.iter().find(|b| a.is_same(b)) {
                Some(b) => put(a, how.both_facts(a, b)),
                None => put(a, how.left_fact(a, false)),
            });
        }
        for b in other.registers.iter().filter(|b| !self.registers.iter().any(|a| a.is_same(b))) {
            registers.extend(put(b, how.right_fact(b, false)));
        }
        let registers =
            if registers == *self.registers { self.registers.clone() } else { Arc::new(registers) };
        Tuples { cells, registers }
    }

    /// Whether the other says all that this says, or its ranges do. `state` is the other's.
    pub fn is_implied_by(&self, other: &Tuples, state: &dyn Ranges) -> bool {
        let said = |mine: &Tuple, theirs: Option<&Tuple>| {
            let equal = theirs.is_some_and(|theirs| theirs.fact == TupleFact::Equal);
            theirs
                .is_some_and(|theirs| theirs.cannot_be(state) || theirs.fact_in(state).is_within(&mine.fact))
                || mine.fact.is_implied(&mine.places, state, equal)
        };
        let cells = self.cells.all_pairs(
            &other.cells,
            &mut |_, mine, theirs| said(mine, theirs.map(|p| &**p)),
            &mut |_, _| true,
        );
        cells
            && (Arc::ptr_eq(&self.registers, &other.registers)
                || self.registers.iter().all(|a| said(a, other.registers.iter().find(|b| a.is_same(b)))))
    }

    /// All tuples.
    pub fn iter(&self) -> impl Iterator<Item = &Tuple> {
        self.cells.iter().map(|(_, tuple)| &**tuple).chain(self.registers.iter())
    }

    /// What is other than in earlier tuples of memory: none for those that are gone.
    pub fn changes_since(&self, earlier: &Tuples) -> Vec<(TupleId, Option<Arc<Tuple>>)> {
        let mut changes = Vec::new();
        let mut gone = Vec::new();
        self.cells.all_pairs(
            &earlier.cells,
            &mut |id, now, then| {
                if !then.is_some_and(|then| Arc::ptr_eq(now, then)) {
                    changes.push((id, Some(now.clone())));
                }
                true
            },
            &mut |id, _| {
                gone.push((id, None));
                true
            },
        );
        changes.append(&mut gone);
        changes
    }

    /// With these changes, and without tuples of registers.
    #[must_use]
    pub fn changed(&self, changes: &[(TupleId, Option<Arc<Tuple>>)]) -> Tuples {
        let mut cells = self.cells.clone();
        for (id, tuple) in changes {
            match tuple {
                Some(tuple) => cells.insert(*id, tuple.clone()),
                None => cells.remove(*id),
            }
        }
        Tuples { cells, registers: Arc::default() }
    }

    /// Those of memory alone: what a call takes along and brings back.
    #[must_use]
    pub fn of_memory(&self) -> Tuples {
        Tuples { cells: self.cells.clone(), registers: Arc::default() }
    }

    /// What a caller knows after a call that left these: tuples of its registers, too, where nothing was written.
    #[must_use]
    pub fn after_call(&self, left: &Tuples, unchanged: &dyn Fn(ObjectId) -> bool) -> Tuples {
        let stays = |place: &Place| place.cell().is_none_or(|cell| unchanged(cell.object));
        let mut registers = self.registers.clone();
        if !registers.iter().all(|tuple| tuple.places.iter().all(stays)) {
            Arc::make_mut(&mut registers).retain(|tuple| tuple.places.iter().all(stays));
        }
        Tuples { cells: left.cells.clone(), registers }
    }

    pub(crate) fn with_registers(&mut self, change: impl FnOnce(&mut Vec<Tuple>)) {
        change(Arc::make_mut(&mut self.registers));
    }
}

impl Tuples {
    /// Puts a tuple with a register.
    pub(crate) fn put_with_register(&mut self, tuple: Tuple) {
        self.with_registers(|list| {
            list.retain(|other| !other.is_same(&tuple));
            if list.len() >= MOST_WITH_REGISTERS {
                list.remove(0);
            }
            list.push(tuple);
        });
    }

    /// Puts a decision tree with a register.
    pub(crate) fn put_tree_with_register(&mut self, tuple: Tuple) {
        self.with_registers(|list| {
            list.retain(|other| !other.is_same(&tuple));
            let is_tree = |tuple: &Tuple| tuple.fact.group() == Group::Tree;
            if list.iter().filter(|tuple| is_tree(tuple)).count() >= MOST_TREES_WITH_REGISTERS
                && let Some(first) = list.iter().position(is_tree)
            {
                list.remove(first);
            }
            list.push(tuple);
        });
    }
}

/// Whether a scalar is a float of a format that `f64` holds.
pub(crate) fn is_float(shape: Shape) -> bool {
    use clew_base::float::Format;
    matches!(shape, Shape::Float(Format::F32 | Format::F64, _))
}
