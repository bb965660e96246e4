// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of a state, and which of its objects a call has looked at or changed.
//!
//! The result of analysing a call depends on the objects that were looked up on the way and on no others: the map of
//! objects is private to this file, each way into it is noted, and what is never looked up is passed through as it
//! is, since joins, widenings and inclusion tests see one shared `Arc` on both sides. `summary` lives on that.
//!
//! The notes belong to the thread. An analysis of one entry runs on one thread from its beginning to its end, and
//! [`reset`] starts it with no notes.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::domain::clock::Clock;
use crate::map::{Change, Map, Merge};
use crate::memory::object::Obj;

/// The objects of a state, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory {
    map: Map<Arc<Obj>>,
    /// How many ticks there have been; none before an analysis begins.
    clock: Option<Clock>,
}

/// The objects that a call has looked at or changed.
#[derive(Clone, Default, Debug)]
pub struct Footprint {
    /// All there are.
    everything: bool,
    /// The clock.
    clock: bool,
    /// A bit for each of the others.
    words: Vec<u64>,
}

impl Footprint {
    fn insert(&mut self, id: u64) {
        let word = (id / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id % 64);
    }

    /// Whether an object is among those that are not just there because all are.
    pub fn contains(&self, id: u64) -> bool {
        self.words.get((id / 64) as usize).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// Whether the clock is among it.
    pub fn has_clock(&self) -> bool {
        self.clock
    }

    /// Whether it is all objects.
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// The objects, by ascending number, where it is not all of them.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u64 * 64 + bit)
        };
        self.words.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }

    fn absorb(&mut self, other: &Footprint) {
        self.everything |= other.everything;
        self.clock |= other.clock;
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }
}

thread_local! {
    /// The footprints of the calls that are running, outermost first.
    static RUNNING: RefCell<Vec<Footprint>> = const { RefCell::new(Vec::new()) };
}

fn note(change: impl FnOnce(&mut Footprint)) {
    RUNNING.with_borrow_mut(|running| {
        if let Some(innermost) = running.last_mut() {
            change(innermost);
        }
    });
}

/// No call is running: an analysis begins.
pub fn reset() {
    RUNNING.with_borrow_mut(Vec::clear);
}

/// A call begins.
pub fn open() {
    RUNNING.with_borrow_mut(|running| running.push(Footprint::default()));
}

/// The innermost call ends: what it looked at. Its caller has looked at that too.
pub fn close() -> Footprint {
    let closed = RUNNING.with_borrow_mut(Vec::pop).unwrap_or_default();
    absorb(&closed);
    closed
}

/// The clock is looked at.
pub fn note_clock() {
    note(|innermost| innermost.clock = true);
}

/// A call that need not be analysed again would have looked at this.
pub fn absorb(footprint: &Footprint) {
    note(|innermost| innermost.absorb(footprint));
}

impl Memory {
    /// An object.
    pub fn get(&self, id: u64) -> Option<&Arc<Obj>> {
        note(|innermost| innermost.insert(id));
        self.map.get(id)
    }

    /// Puts an object.
    pub fn insert(&mut self, id: u64, object: Arc<Obj>) {
        note(|innermost| innermost.insert(id));
        self.map.insert(id, object);
    }

    /// Takes an object away.
    pub fn remove(&mut self, id: u64) {
        note(|innermost| innermost.insert(id));
        self.map.remove(id);
    }

    /// How many ticks there have been; none before an analysis begins.
    pub fn clock(&self) -> Option<Clock> {
        self.clock?;
        note_clock();
        self.clock
    }

    /// The same, for a comparison of memories that is no part of a call.
    pub fn peek_clock(&self) -> Option<Clock> {
        self.clock
    }

    /// There have been so many ticks.
    pub fn set_clock(&mut self, clock: Clock) {
        note_clock();
        self.clock = Some(clock);
    }

    /// All objects.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Arc<Obj>)> {
        self.note_all();
        self.map.iter()
    }

    /// All objects are looked at, and nothing comes of it.
    pub fn note_all(&self) {
        note(|innermost| innermost.everything = true);
    }

    /// Changes objects, after a look at all of them.
    #[must_use]
    pub fn filter_map(&self, keep: &mut impl FnMut(u64, &Arc<Obj>) -> Change<Arc<Obj>>) -> Memory {
        self.note_all();
        Memory { map: self.map.filter_map(keep), clock: self.clock }
    }

    /// Changes the objects that hold something which only objects changed since the call began can hold. So the
    /// others are as if they had not been looked at.
    #[must_use]
    pub fn filter_map_changed(&self, keep: &mut impl FnMut(&Arc<Obj>) -> Change<Arc<Obj>>) -> Memory {
        let map = self.map.filter_map(&mut |id, object| {
            let change = keep(object);
            if !matches!(change, Change::Keep) {
                note(|innermost| innermost.insert(id));
            }
            change
        });
        Memory { map, clock: self.clock }
    }

    /// Joins or widens. What both share stays as it is, and says nothing.
    #[must_use]
    pub fn merge(&self, other: &Memory, how: &mut impl Merge<Arc<Obj>>, widens: bool) -> Memory {
        let clock = self.clock.zip(other.clock).map(|(a, b)| if widens { a.widen(b) } else { a.join(b) });
        Memory { map: self.map.merge(&other.map, how), clock }
    }

    /// Compares; see [`Map::all_mine`]. What both share is not looked at.
    pub fn all_mine(
        &self,
        other: &Memory,
        pair: &mut impl FnMut(u64, &Arc<Obj>, Option<&Arc<Obj>>) -> bool,
    ) -> bool {
        self.map.all_mine(&other.map, pair)
    }

    /// Whether the two are one map. False says nothing.
    pub fn is_same(&self, other: &Memory) -> bool {
        self.map.is_same(&other.map)
    }

    /// An object, for a comparison of memories that is no part of a call.
    pub fn peek(&self, id: u64) -> Option<&Arc<Obj>> {
        self.map.get(id)
    }

    /// An object that is not the same in the other memory.
    pub fn first_difference(&self, other: &Memory) -> Option<u64> {
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
        let pair = &mut |id: u64, now: &Arc<Obj>, then: Option<&Arc<Obj>>| {
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
    ) -> impl Iterator<Item = (u64, Arc<Obj>)> + 'a {
        let all = self.map.iter().filter(|_| of.is_everything()).map(|(id, _)| id);
        let reads = of.iter().filter(|_| !of.is_everything());
        all.chain(reads).filter_map(|id| {
            let (now, then) = (self.map.get(id)?, earlier.map.get(id)?);
            Arc::ptr_eq(now, then).then(|| (id, now.clone()))
        })
    }

    /// Whether every object is in the other, and may be no more than there.
    pub fn is_within(&self, other: &Memory) -> bool {
        let clock = self.clock;
        if let (Some(mine), Some(there)) = (clock, other.clock)
            && !mine.is_subset(there)
        {
            return false;
        }
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
        Memory { map, clock: changes.clock.or(self.clock) }
    }
}

/// The left map, and what the right one has besides.
struct Over;

impl Merge<Arc<Obj>> for Over {
    const KEEPS_ALONE: bool = true;

    fn both(&mut self, _: u64, _: &Arc<Obj>, _: &Arc<Obj>) -> Change<Arc<Obj>> {
        Change::Keep
    }
}

/// What is other than before.
pub struct Changes {
    /// Objects that are new or hold something else. A map, since a call that writes through an unknown pointer changes all there are:
    /// states after it share the parts of this.
    objects: Map<Arc<Obj>>,
    /// Those that are no more.
    gone: Vec<u64>,
    /// The clock, if it has ticked.
    clock: Option<Clock>,
}

impl Changes {
    /// The numbers of the objects.
    pub fn objects(&self) -> impl Iterator<Item = u64> + '_ {
        self.objects.iter().map(|(id, _)| id).chain(self.gone.iter().copied())
    }

    /// With these objects too.
    pub fn extend(&mut self, objects: impl Iterator<Item = (u64, Arc<Obj>)>) {
        objects.for_each(|(id, object)| self.objects.insert(id, object));
    }
}
