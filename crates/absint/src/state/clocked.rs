// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of registers against the clock.

use clew_ir::syntax::LocalId;

use crate::domain::clocked::{Clocked, MergeClocked};
use crate::domain::shape::Shape;
use crate::domain::value::Kind;
use crate::map::Map;
use crate::state::State;

impl State {
    fn clocked_register(&self, local: LocalId, shape: Shape) -> Option<Clocked> {
        Clocked::of_value(self.registers().get(local)?, shape, self.memory.clock()?)
    }

    /// The entries of registers, joined or widened.
    pub(crate) fn merge_clocked(&self, other: &State, widens: bool) -> Map<LocalId, Clocked> {
        let (Some(a), Some(b)) = (self.memory.unrecorded().clock(), other.memory.unrecorded().clock()) else {
            return Map::default();
        };
        let here = |local: LocalId, shape: Shape| self.clocked_register(local, shape);
        let there = |local: LocalId, shape: Shape| other.clocked_register(local, shape);
        self.clocked.merge(&other.clocked, &mut MergeClocked { widens, clocks: [a, b], here, there })
    }

    /// Whether all that another state says of registers against the clock holds here.
    pub(crate) fn clocked_within(&self, other: &State) -> bool {
        let Some(clock) = self.memory.unrecorded().clock() else { return other.clocked.is_empty() };
        other.clocked.all_mine(&self.clocked, &mut |local, there, mine| {
            let mine = mine.copied().or_else(|| self.clocked_register(local, there.shape()));
            mine.is_some_and(|mine| mine.is_subset(clock, *there))
        })
    }

    /// The value of a register as far as the clock allows it, if that is less.
    pub(crate) fn clocked(&self, local: LocalId, kind: &Kind) -> Option<Kind> {
        self.clocked.get(local)?.within(kind, self.memory.clock()?)
    }
}
