// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is remembered of calls; `fixpoint::summary` says why a later call may take it over.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_ir::syntax::{BlockId, FuncId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domain::tuple::{Index, Tuple, TupleId, Tuples};
use crate::engine::effects::{Effects, Writes};
use crate::engine::pruned_paths::Place;
use crate::engine::results::Subject;
use crate::map::Map;
use crate::memory::footprint::Footprint;
use crate::memory::object::Obj;
use crate::memory::recorded::{Changes, Memory};
use crate::program::object::{ObjectId, Site};
use crate::state::State;
use crate::state::given::Given;

/// The entry that stands for all calls of a function.
pub(crate) struct JoinedContext {
    pub(crate) entry: State,
    pub(crate) joined: u32,
    /// What came of it, unless it depends on recursion that is still going on.
    pub(crate) summary: Option<Summary>,
}

/// The statements that the calls of each function took, and the calls.
#[derive(Default)]
pub(crate) struct Spent(pub(crate) FxHashMap<FuncId, (u64, u64)>);

impl Summaries {
    /// The calls of a function took so many statements more.
    pub(crate) fn spend(&mut self, function: FuncId, steps: u64) {
        let spent = self.spent.0.entry(function).or_default();
        *spent = (spent.0 + steps, spent.1 + 1);
    }

    /// The result for the general entry is known; gives the one before.
    pub(crate) fn keep_joined(&mut self, key: Key, summary: Summary) -> Option<Summary> {
        self.general.get_mut(&key)?.summary.replace(summary)
    }
}

/// What a running call has done so far, beyond what its exit states say.
#[derive(Default)]
pub(crate) struct Notes {
    /// What it read and wrote.
    pub(crate) effects: Effects,
    /// Obligations that it judged for the report.
    pub(crate) subjects: FxHashSet<Subject>,
    /// Numbers of obligations whose violation it pruned.
    pub(crate) prunings: Given,
    /// States at loop heads, where these are asked for.
    pub(crate) heads: BTreeMap<(FuncId, BlockId), State>,
    /// Memory where the program ended.
    pub(crate) ends: Option<State>,
    /// Where it pruned runs.
    pub(crate) pruned_at: BTreeSet<Place>,
    /// Whether runs that it pruned may come back to its caller.
    pub(crate) may_return_pruned: bool,
    /// It asked for the result of a call that was not known yet.
    pub(crate) is_partial: bool,
}

/// What was found out about calls, by function, whether the result is used, and the call that led into a model.
#[derive(Default)]
pub(crate) struct Summaries {
    pub(crate) kept: FxHashMap<Key, Vec<Summary>>,
    /// Functions whose contexts are no longer told apart.
    pub(crate) general: FxHashMap<Key, JoinedContext>,
    /// What the calls of each function cost.
    pub(crate) spent: Spent,
    /// What those that were thrown away have left to tell.
    pub(crate) gone: Vec<Debt>,
}

/// A function, whether its result is used, and the call that led into a model.
pub(crate) type Key = (FuncId, bool, Option<Site>);

/// Obligations that rest on more than the results know yet.
pub(crate) struct Debt {
    pub(crate) subjects: Vec<Subject>,
    pub(crate) pruned_at: Vec<Place>,
    pub(crate) given: Given,
}

pub(crate) struct Summary {
    pub(crate) recorded: bool,
    /// What the call started with, but for the memory and what it rests on.
    pub(crate) entry: State,
    /// What the calls rest on that this stands for.
    pub(crate) given: Given,
    pub(crate) reads: EntryReads,
    /// The packs with a place in one of the objects that it looked at.
    pub(crate) tuples: Vec<(TupleId, Arc<Tuple>)>,
    /// The clock that it started with.
    pub(crate) clock: Option<crate::domain::clock::Clock>,
    pub(crate) footprint: Footprint,
    pub(crate) exits: Vec<Later>,
    pub(crate) aged: FxHashSet<ObjectId>,
    pub(crate) written: Writes,
    pub(crate) effects: Effects,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) prunings: Given,
    pub(crate) heads: Vec<((FuncId, BlockId), Later)>,
    pub(crate) ends: Option<Later>,
    pub(crate) pruned_at: Vec<Place>,
    pub(crate) may_return_pruned: bool,
    /// What comes back of what the call itself pruned.
    pub(crate) pending: Given,
    /// An object that was not the same in the memory of another call.
    pub(crate) told_apart_by: Cell<Option<ObjectId>>,
    /// Whether calls that took it over rest on more than the call that was analysed: the subjects are not told yet.
    pub(crate) rests_on_more: bool,
}

pub(crate) enum EntryReads {
    Everything(Memory),
    Objects(Vec<(ObjectId, Option<Arc<Obj>>)>),
}

/// A state of the call, its memory as what is other than at the entry.
pub(crate) struct Later {
    state: State,
    changes: Changes,
    tuples: Vec<(TupleId, Option<Arc<Tuple>>)>,
    /// The obligations cut on the way, as far as these are the call's own.
    prunings: Given,
}

impl Later {
    pub(crate) fn new(mut state: State, entry: &State, prunings: &Given, changed: &Changed<'_>) -> Later {
        let mut changes = state.memory.changes_since(&entry.memory);
        if let Changed::OrTouched(footprint, touched) = changed {
            let same = state.memory.same_since(&entry.memory, footprint);
            changes.extend(same.filter(|(id, object)| touched(*id, object)));
        }
        let own = prunings.common(&state.given);
        let tuples = state.tuples.changes_since(&entry.tuples);
        state.memory = state.memory.emptied();
        state.given = Given::default();
        state.tuples.cells = Map::default();
        Later { state, changes, tuples, prunings: own }
    }

    /// The state as a call from another memory comes to it.
    pub(crate) fn from(&self, entry: &State) -> State {
        let mut state = self.state.clone();
        state.memory = entry.memory.changed(&self.changes);
        state.given = entry.given.union(&self.prunings);
        state.tuples = Tuples { registers: state.tuples.registers, ..entry.tuples.changed(&self.tuples) };
        state
    }
}

/// Which objects are other than at the entry of a call.
pub(crate) enum Changed<'a> {
    /// Those whose values are.
    Values,
    /// Those too that were touched, of the ones looked at: the entry holds more than that of the calls it stands for.
    OrTouched(&'a Footprint, &'a dyn Fn(ObjectId, &Obj) -> bool),
}

/// All but the memory, what is known of it, and what it rests on, which are compared in ways of their own.
pub(crate) fn without_memory(entry: &State) -> State {
    State {
        memory: entry.memory.emptied(),
        given: Given::default(),
        tuples: Tuples::default(),
        ..entry.clone()
    }
}

/// The packs with a place in one of these objects, or all, by their number.
pub(crate) fn tuples_of(
    entry: &State,
    objects: Option<&mut dyn Iterator<Item = ObjectId>>,
    index: &Index,
) -> Vec<(TupleId, Arc<Tuple>)> {
    let Some(objects) = objects else {
        return entry.tuples.cells.iter().map(|(id, pack)| (id, pack.clone())).collect();
    };
    if entry.tuples.cells.is_empty() {
        return Vec::new();
    }
    let numbers = objects.flat_map(|object| index.of(object));
    let mut tuples: Vec<(TupleId, Arc<Tuple>)> =
        numbers.filter_map(|id| Some((id, entry.tuples.cells.get(id)?.clone()))).collect();
    tuples.sort_by_key(|(id, _)| *id);
    tuples.dedup_by_key(|(id, _)| *id);
    tuples
}

impl Summary {
    pub(crate) fn fits(&self, entry: &State, index: &Index, recording: bool) -> bool {
        let looks_alike = || match &self.reads {
            EntryReads::Everything(memory) => {
                // What was different the last time probably still is.
                let told_apart_by = self.told_apart_by.get();
                if told_apart_by
                    .is_some_and(|id| memory.unrecorded().get(id) != entry.memory.unrecorded().get(id))
                {
                    return false;
                }
                let difference = memory.first_difference(&entry.memory);
                self.told_apart_by.set(difference.or(told_apart_by));
                difference.is_none() && memory.unrecorded().clock() == entry.memory.unrecorded().clock()
            }
            EntryReads::Objects(objects) => {
                objects.iter().all(|(id, then)| then.as_ref() == entry.memory.unrecorded().get(*id))
            }
        };
        let recorded = self.recorded || !recording;
        let in_time = !self.footprint.has_clock() || self.clock == entry.memory.unrecorded().clock();
        recorded
            && self.entry == without_memory(entry)
            && in_time
            && looks_alike()
            && self.knows_alike(entry, index)
    }

    /// Whether the same packs are known of the objects that it looked at.
    fn knows_alike(&self, entry: &State, index: &Index) -> bool {
        let now = match &self.reads {
            EntryReads::Everything(_) => tuples_of(entry, None, index),
            EntryReads::Objects(objects) => {
                tuples_of(entry, Some(&mut objects.iter().map(|(id, _)| *id)), index)
            }
        };
        now == self.tuples
    }

    /// Whether a call starts from no more than this did, as far as this looked.
    pub(crate) fn covers(&self, entry: &State, recording: bool) -> bool {
        let clock = entry.memory.clock_view();
        let in_time = || match (self.clock, entry.memory.unrecorded().clock()) {
            (Some(then), Some(now)) => !self.footprint.has_clock() || now.is_subset(then),
            _ => true,
        };
        let holds_more = || match &self.reads {
            EntryReads::Everything(memory) => entry.memory.is_within(memory),
            EntryReads::Objects(objects) => {
                objects.iter().all(|(id, then)| match (then, entry.memory.unrecorded().get(*id)) {
                    (Some(then), Some(now)) => Arc::ptr_eq(then, now) || now.is_subset(then, clock),
                    (_, None) => true,
                    (None, Some(_)) => false,
                })
            }
        };
        (self.recorded || !recording) && entry.is_subset_but_memory(&self.entry) && in_time() && holds_more()
    }

    /// The objects that the call may have changed.
    pub(crate) fn changed_objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let heads = self.heads.iter().map(|(_, head)| head);
        let all = self.exits.iter().chain(heads).chain(&self.ends);
        all.flat_map(|later| later.changes.objects())
    }

    /// What the results are to be told, if something.
    pub(crate) fn debt(self) -> Option<Debt> {
        self.rests_on_more.then_some(Debt {
            subjects: self.subjects,
            pruned_at: self.pruned_at,
            given: self.given,
        })
    }
}

impl Notes {
    pub(crate) fn head(&mut self, place: (FuncId, BlockId), state: &State) {
        let joined = self.heads.get(&place).map_or_else(|| state.clone(), |other| other.join(state));
        self.heads.insert(place, joined);
    }

    pub(crate) fn end(&mut self, state: &State) {
        self.ends = Some(self.ends.as_ref().map_or_else(|| state.clone(), |other| other.join(state)));
    }

    /// What a call inside did is done by the call around it.
    pub(crate) fn absorb(&mut self, inner: &Notes) {
        self.effects.absorb(&inner.effects);
        self.subjects.extend(&inner.subjects);
        self.prunings.add(&inner.prunings);
        self.pruned_at.extend(&inner.pruned_at);
        for (place, state) in &inner.heads {
            self.head(*place, state);
        }
        if let Some(state) = &inner.ends {
            self.end(state);
        }
    }
}

impl Summaries {
    pub(crate) fn keep(&mut self, key: Key, summary: Summary, most: usize) {
        let list = self.kept.entry(key).or_default();
        while list.len() >= most {
            self.gone.extend(list.remove(0).debt());
        }
        list.push(summary);
    }
}
