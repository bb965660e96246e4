// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a state. The map of objects is private to this file, and each way into it is noted (`footprint`); what is never
//! looked up is passed through as it is, since joins, widenings and inclusion tests see one shared `Arc` on both sides.

use std::cell::Cell;
use std::sync::Arc;

use crate::domain::clock::Clock;
use crate::map::{Change, Map, Merge};
use crate::memory::footprint::{ClockView, Footprint, Reads};
use crate::memory::object::Obj;
use crate::program::object::ObjectId;

/// The objects of a state.
#[derive(Clone, Debug)]
pub struct Memory {
    map: Map<ObjectId, Arc<Obj>>,
    /// How many ticks there have been; none before an analysis begins.
    clock: Option<Clock>,
    /// Who is told of looks into it.
    reads: Reads,
}

impl PartialEq for Memory {
    fn eq(&self, other: &Memory) -> bool {
        self.map == other.map && self.clock == other.clock
    }
}

/// A memory, for looks that are no part of a call: comparisons, and notes that a call which takes a result over makes for itself.
#[derive(Clone, Copy)]
pub struct Unrecorded<'a>(&'a Memory);

impl<'a> Unrecorded<'a> {
    /// An object.
    pub fn get(self, id: ObjectId) -> Option<&'a Arc<Obj>> {
        self.0.map.get(id)
    }

    /// How many ticks there have been; none before an analysis begins.
    pub fn clock(self) -> Option<Clock> {
        self.0.clock
    }
}

impl Memory {
    /// One without objects, whose looks are noted there.
    pub fn new(reads: &Reads) -> Memory {
        Memory { map: Map::default(), clock: None, reads: reads.clone() }
    }

    /// One without objects, of the same analysis.
    #[must_use]
    pub fn emptied(&self) -> Memory {
        Memory::new(&self.reads)
    }

    /// For looks that are no part of a call.
    pub fn unrecorded(&self) -> Unrecorded<'_> {
        Unrecorded(self)
    }

    /// The clock, for those who may not need it.
    pub fn clock_view(&self) -> Option<ClockView<'_>> {
        self.clock.map(|clock| ClockView::new(clock, &self.reads))
    }

    fn with(&self, map: Map<ObjectId, Arc<Obj>>, clock: Option<Clock>) -> Memory {
        Memory { map, clock, reads: self.reads.clone() }
    }

    /// An object.
    pub fn get(&self, id: ObjectId) -> Option<&Arc<Obj>> {
        self.reads.object(id);
        self.map.get(id)
    }

    /// Puts an object.
    pub fn insert(&mut self, id: ObjectId, object: Arc<Obj>) {
        self.reads.object(id);
        self.map.insert(id, object);
    }

    /// Takes an object away.
    pub fn remove(&mut self, id: ObjectId) {
        self.reads.object(id);
        self.map.remove(id);
    }

    /// How many ticks there have been; none before an analysis begins.
    pub fn clock(&self) -> Option<Clock> {
        self.clock_view().map(ClockView::read)
    }

    /// There have been so many ticks.
    pub fn set_clock(&mut self, clock: Clock) {
        self.reads.clock();
        self.clock = Some(clock);
    }

    /// All objects.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Arc<Obj>)> {
        self.note_all();
        self.map.iter()
    }

    /// All objects are looked at, and nothing comes of it.
    pub fn note_all(&self) {
        self.reads.everything();
    }

    /// Changes objects, after a look at all of them.
    #[must_use]
    pub fn filter_map(&self, keep: &mut impl FnMut(ObjectId, &Arc<Obj>) -> Change<Arc<Obj>>) -> Memory {
        self.note_all();
        self.with(self.map.filter_map(keep), self.clock)
    }

    /// Changes the objects that hold something which only objects changed since the call began can hold. So the
    /// others are as if they had not been looked at.
    #[must_use]
    pub fn filter_map_changed(&self, keep: &mut impl FnMut(&Arc<Obj>) -> Change<Arc<Obj>>) -> Memory {
        let map = self.map.filter_map(&mut |id, object| {
            let change = keep(object);
            if !matches!(change, Change::Keep) {
                self.reads.object(id);
            }
            change
        });
        self.with(map, self.clock)
    }

    /// Joins or widens. What both share stays as it is, and says nothing.
    #[must_use]
    pub fn merge(&self, other: &Memory, how: &mut impl Merge<ObjectId, Arc<Obj>>, widens: bool) -> Memory {
        let clock = self.clock.zip(other.clock).map(|(a, b)| if widens { a.widen(b) } else { a.join(b) });
        self.with(self.map.merge(&other.map, how), clock)
    }

    /// Compares; see [`Map::all_mine`]. What both share is not looked at.
    pub fn all_mine(
        &self,
        other: &Memory,
        pair: &mut impl FnMut(ObjectId, &Arc<Obj>, Option<&Arc<Obj>>) -> bool,
    ) -> bool {
        self.map.all_mine(&other.map, pair)
    }

    /// Whether the two are one map. False says nothing.
    pub fn is_same(&self, other: &Memory) -> bool {
        self.map.is_same(&other.map)
    }

    /// An object that is not the same in the other memory.
    pub fn first_difference(&self, other: &Memory) -> Option<ObjectId> {
        let difference = Cell::new(None);
        let mut pair = |id, mine: &Arc<Obj>, theirs: Option<&Arc<Obj>>| {
            let same = theirs == Some(mine);
            difference.set((!same).then_some(id));
            same
        };
        let mut only_theirs = |id, _: &Arc<Obj>| {
            difference.set(Some(id));
            false
        };
        self.map.all_pairs(&other.map, &mut pair, &mut only_theirs);
        difference.get()
    }

    /// What is other than in an earlier memory: the objects, none for those that are gone.
    pub fn changes_since(&self, earlier: &Memory) -> Changes {
        let mut objects = Map::default();
        let mut gone = Vec::new();
        let pair = &mut |id: ObjectId, now: &Arc<Obj>, then: Option<&Arc<Obj>>| {
            if !then.is_some_and(|then| Arc::ptr_eq(now, then)) {
                objects.insert(id, now.clone());
            }
            true
        };
        self.map.all_pairs(&earlier.map, pair, &mut |id, _| {
            gone.push(id);
            true
        });
        Changes { objects, gone, clock: self.clock.filter(|_| self.clock != earlier.clock) }
    }

    /// The objects of these that are the same as in an earlier memory.
    pub fn same_since<'a>(
        &'a self,
        earlier: &'a Memory,
        of: &'a Footprint,
    ) -> impl Iterator<Item = (ObjectId, Arc<Obj>)> + 'a {
        let all = self.map.iter().filter(|_| of.is_everything()).map(|(id, _)| id);
        let reads = of.iter().filter(|_| !of.is_everything());
        all.chain(reads).filter_map(|id| {
            let (now, then) = (self.map.get(id)?, earlier.map.get(id)?);
            Arc::ptr_eq(now, then).then(|| (id, now.clone()))
        })
    }

    /// Whether every object is in the other, and may be no more than there.
    pub fn is_within(&self, other: &Memory) -> bool {
        if let (Some(mine), Some(there)) = (self.clock, other.clock)
            && !mine.is_subset(there)
        {
            return false;
        }
        let clock = self.clock_view();
        let within =
            |mine: &Arc<Obj>, there: &Arc<Obj>| Arc::ptr_eq(mine, there) || mine.is_subset(there, clock);
        self.map.all_pairs(
            &other.map,
            &mut |_, mine, there| there.is_some_and(|there| within(mine, there)),
            &mut |_, _| true,
        )
    }

    /// With these changes.
    #[must_use]
    pub fn changed(&self, changes: &Changes) -> Memory {
        let mut map = changes.objects.merge(&self.map, &mut Over);
        changes.gone.iter().for_each(|id| map.remove(*id));
        self.with(map, changes.clock.or(self.clock))
    }
}

/// The left map, and what the right one has besides.
struct Over;

impl Merge<ObjectId, Arc<Obj>> for Over {
    const KEEPS_ALONE: bool = true;

    fn both(&mut self, _: ObjectId, _: &Arc<Obj>, _: &Arc<Obj>) -> Change<Arc<Obj>> {
        Change::Keep
    }
}

/// What is other than before.
pub struct Changes {
    /// Objects that are new or hold something else. A map, since a call that writes through an unknown pointer changes all there are:
    /// states after it share the parts of this.
    objects: Map<ObjectId, Arc<Obj>>,
    /// Those that are no more.
    gone: Vec<ObjectId>,
    /// The clock, if it has ticked.
    clock: Option<Clock>,
}

impl Changes {
    /// The numbers of the objects.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.iter().map(|(id, _)| id).chain(self.gone.iter().copied())
    }

    /// With these objects too.
    pub fn extend(&mut self, objects: impl Iterator<Item = (ObjectId, Arc<Obj>)>) {
        objects.for_each(|(id, object)| self.objects.insert(id, object));
    }
}
