// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known against the clock of the scalars in an object.

use crate::domain::clock::Clock;
use crate::domain::clocked::{MergeTimed, Timed};
use crate::domain::int::Int;
use crate::domain::shape::Shape;
use crate::map::Change;
use crate::memory::contents::Contents;

/// What follows from what stands in an object.
pub fn from_contents(contents: &Contents, clock: Clock, at: u64, shape: Shape) -> Option<Timed> {
    crate::memory::footprint::look_at_clock();
    Timed::of_value(&contents.read(&Int::constant(i128::from(at)), shape), shape, clock)
}

impl Contents {
    /// What both say of scalars against their clocks; [`Contents::merge`] leaves it out.
    pub fn merge_timed(&mut self, a: &Contents, b: &Contents, clocks: [Option<Clock>; 2], widens: bool) {
        let [Some(first), Some(second)] = clocks else { return };
        if a.timed().is_empty() && b.timed().is_empty() {
            return;
        }
        let here = |at, shape| from_contents(a, first, at, shape);
        let there = |at, shape| from_contents(b, second, at, shape);
        let merge = &mut MergeTimed { widens, clocks: [first, second], here, there };
        self.set_timed(a.timed().merge(b.timed(), merge));
    }

    /// Whether all that another says of scalars against the clock holds here, where the clock is this.
    pub fn timed_within(&self, other: &Contents, clock: Option<Clock>) -> bool {
        let Some(clock) = clock else { return other.timed().is_empty() };
        other.timed().all_mine(self.timed(), &mut |at, there, mine| {
            let mine = mine.copied().or_else(|| from_contents(self, clock, at, there.shape()));
            mine.is_some_and(|mine| mine.is_subset(clock, *there))
        })
    }

    /// The clock ticks, and is this from now on.
    pub(crate) fn tick(&mut self, clock: Clock) {
        self.set_timed(self.timed().filter_map(&mut |_, timed| Change::To(timed.tick())));
        for (at, timed) in self.timed().clone().iter() {
            let shape = timed.shape();
            let value = self.read(&Int::constant(i128::from(at)), shape);
            if let Some(kept) = timed.within(&value.kind, clock).filter(|_| !value.uninit) {
                self.restrict(at, shape, &kept);
            }
        }
    }
}
