// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which objects a call has looked at or changed.
//!
//! The result of analysing a call depends on the objects that were looked up on the way and on no others. Every memory carries the
//! [`Reads`] of its analysis, and each look into it is noted there; a memory of no analysis cannot be made, and the looks that are
//! no part of a call go through a type of their own (`Memory::unrecorded`). `summary` lives on that.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clew_base::index::Idx;

use crate::domain::clock::Clock;
use crate::map::Key;
use crate::program::object::ObjectId;

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
    fn insert(&mut self, id: ObjectId) {
        let id = id.into_number();
        let word = (id / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id % 64);
    }

    /// Whether an object is among those that are not just there because all are.
    pub fn contains(&self, id: ObjectId) -> bool {
        let id = id.into_number();
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
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| ObjectId::from_number(at as u64 * 64 + bit))
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

/// Notes what the running calls of one analysis look at. Clones note in the same place. It is locked since states are handed from
/// thread to thread when an analysis is over; while it runs nobody else asks for it.
#[derive(Clone, Default, Debug)]
pub struct Reads(Arc<Notes>);

#[derive(Debug)]
struct Notes {
    /// The footprints of the calls that are running, outermost first.
    running: Mutex<Vec<Footprint>>,
    /// Objects that are in the innermost, and one more than their number: most looks are at one of the last objects again, and
    /// need no lock.
    recent: [AtomicU32; RECENT],
}

const RECENT: usize = 64;

impl Default for Notes {
    fn default() -> Notes {
        Notes { running: Mutex::default(), recent: [const { AtomicU32::new(0) }; RECENT] }
    }
}

impl Reads {
    fn with<T>(&self, change: impl FnOnce(&mut Vec<Footprint>) -> T) -> T {
        change(&mut self.0.running.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, change: impl FnOnce(&mut Footprint)) {
        self.with(|running| running.last_mut().map(change));
    }

    /// Another call is the innermost.
    fn forget_recent(&self) {
        self.0.recent.iter().for_each(|slot| slot.store(0, Ordering::Relaxed));
    }

    /// A call begins.
    pub fn begin_call(&self) {
        self.with(|running| running.push(Footprint::default()));
        self.forget_recent();
    }

    /// The innermost call ends: what it looked at. Its caller has looked at that too.
    pub fn end_call(&self) -> Footprint {
        let ended = self.with(Vec::pop).unwrap_or_default();
        self.forget_recent();
        self.absorb(&ended);
        ended
    }

    /// A call that need not be analysed again would have looked at this.
    pub fn absorb(&self, footprint: &Footprint) {
        self.note(|innermost| innermost.absorb(footprint));
    }

    /// An object is looked at.
    #[inline]
    pub fn object(&self, id: ObjectId) {
        let slot = &self.0.recent[id.index() % RECENT];
        let mark = id.0 + 1;
        if slot.load(Ordering::Relaxed) != mark {
            self.note(|innermost| innermost.insert(id));
            slot.store(mark, Ordering::Relaxed);
        }
    }

    /// The clock is looked at.
    pub fn clock(&self) {
        self.note(|innermost| innermost.clock = true);
    }

    /// All objects are looked at.
    pub fn everything(&self) {
        self.note(|innermost| innermost.everything = true);
    }
}

/// The clock of a memory, for those who may not need it.
#[derive(Clone, Copy)]
pub struct ClockView<'a> {
    clock: Clock,
    reads: &'a Reads,
}

impl<'a> ClockView<'a> {
    /// This clock, of a memory that notes there.
    #[inline]
    pub fn new(clock: Clock, reads: &'a Reads) -> ClockView<'a> {
        ClockView { clock, reads }
    }

    /// The clock is looked at.
    pub fn read(self) -> Clock {
        self.reads.clock();
        self.clock
    }

    /// The clock, to compare what is said against it with what is said against another.
    pub fn unrecorded(self) -> Clock {
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_looks_at_its_callers_have_looked_at_too() {
        let reads = Reads::default();
        // No call is running: nothing is noted.
        reads.object(ObjectId(7));
        reads.begin_call();
        reads.object(ObjectId(1));
        reads.begin_call();
        reads.object(ObjectId(1));
        reads.object(ObjectId(130));
        let inner = reads.end_call();
        reads.object(ObjectId(2));
        let outer = reads.end_call();
        assert_eq!(inner.iter().collect::<Vec<_>>(), [ObjectId(1), ObjectId(130)]);
        assert_eq!(outer.iter().collect::<Vec<_>>(), [ObjectId(1), ObjectId(2), ObjectId(130)]);
        reads.begin_call();
        reads.object(ObjectId(2));
        reads.clock();
        reads.clone().object(ObjectId(66));
        let next = reads.end_call();
        assert_eq!(next.iter().collect::<Vec<_>>(), [ObjectId(2), ObjectId(66)]);
        assert!(next.has_clock() && !inner.has_clock() && !next.is_everything());
    }
}
