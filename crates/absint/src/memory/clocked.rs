// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known against the clock of the scalars in an object.

use crate::domain::clock::Clock;
use crate::domain::clocked::{Clocked, MergeClocked};
use crate::domain::int::Int;
use crate::domain::shape::Shape;
use crate::map::Change;
use crate::memory::contents::Contents;
use crate::memory::footprint::ClockView;

/// What follows from what stands in an object.
pub fn from_contents(contents: &Contents, clock: Clock, at: u64, shape: Shape) -> Option<Clocked> {
    Clocked::of_value(&contents.read(&Int::constant(i128::from(at)), shape), shape, clock)
}

impl Contents {
    /// What both say of scalars against their clocks; [`Contents::merge`] leaves it out.
    pub fn merge_clocked(
        &mut self,
        a: &Contents,
        b: &Contents,
        clocks: [Option<ClockView<'_>>; 2],
        widens: bool,
    ) {
        let [Some(first), Some(second)] = clocks else { return };
        if a.clocked().is_empty() && b.clocked().is_empty() {
            return;
        }
        let here = |at, shape| from_contents(a, first.read(), at, shape);
        let there = |at, shape| from_contents(b, second.read(), at, shape);
        let clocks = [first.unrecorded(), second.unrecorded()];
        let merge = &mut MergeClocked { widens, clocks, here, there };
        self.set_clocked(a.clocked().merge(b.clocked(), merge));
    }

    /// Whether all that another says of scalars against the clock holds here, where the clock is this.
    pub fn clocked_within(&self, other: &Contents, clock: Option<ClockView<'_>>) -> bool {
        let Some(clock) = clock else { return other.clocked().is_empty() };
        other.clocked().all_mine(self.clocked(), &mut |at, there, mine| {
            let mine = mine.copied().or_else(|| from_contents(self, clock.read(), at, there.shape()));
            mine.is_some_and(|mine| mine.is_subset(clock.unrecorded(), *there))
        })
    }

    /// The clock ticks, and is this from now on.
    pub(crate) fn tick(&mut self, clock: Clock) {
        self.set_clocked(self.clocked().filter_map(&mut |_, clocked| Change::To(clocked.tick())));
        for (at, clocked) in self.clocked().clone().iter() {
            let shape = clocked.shape();
            let value = self.read(&Int::constant(i128::from(at)), shape);
            if let Some(kept) = clocked.within(&value.kind, clock).filter(|_| !value.uninit) {
                self.restrict(at, shape, &kept);
            }
        }
    }
}
