// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops in loops. Each round of an outer loop seeks the invariants of the inner ones anew, so that the cost would be a
//! power of the depth. A loop whose invariant was sought very often, in one search for that of a loop around it, starts
//! from its last one: that still holds on every iteration from any state within it, and where the new state is not, both
//! together are widened. So what is known of the inner loops only grows until the outer search has ended.

use clew_ir::syntax::BlockId;

use crate::engine::analyser::Analyser;
use crate::engine::budget::Budget;
use crate::engine::facts::Frame;
use crate::engine::loops::Nested;
use crate::fixpoint::iterate::{Loop, Worklist};
use crate::state::State;

impl Budget {
    /// A search for the invariant of a loop begins. Says whether it goes on from an earlier one.
    pub(crate) fn search_begins(&mut self, head: BlockId) -> bool {
        if self.nested.depth == 0 {
            self.searches += 1;
            self.nested = Nested { number: self.searches, ..Nested::default() };
        }
        self.nested.depth += 1;
        *self.nested.sought.entry(head).or_default() += 1;
        std::mem::take(&mut self.nested.goes_on)
    }

    /// It has ended.
    pub(crate) fn search_ends(&mut self) {
        self.nested.depth = self.nested.depth.saturating_sub(1);
    }

    /// Whether a loop has had its share of searches in the one around it.
    pub(crate) fn is_sought_often(&self, head: BlockId, most: u32) -> bool {
        self.nested.depth > 0 && self.nested.sought.get(&head).is_some_and(|count| *count >= most)
    }
}

impl<'p> Analyser<'p> {
    /// What holds at the head of such a loop, by what was found out before.
    pub(crate) fn earlier_invariant(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        entry: &State,
    ) -> Option<State> {
        if !self.transfer.eval.budget.is_sought_often(of.head, self.transfer.eval.pace().searches)
            || !self.transfer.eval.context.recursion.is_empty()
        {
            return None;
        }
        let name = (frame.function, of.head, self.transfer.eval.context.model_call);
        let sought = self
            .memo
            .invariants
            .get(&name)
            .filter(|sought| sought.search == self.transfer.eval.budget.nested.number)?;
        // What other states brought along is in it too.
        entry.memory.note_all();
        if !entry.is_subset(&sought.invariant) {
            let both = sought.invariant.join(entry);
            self.transfer.eval.budget.nested.goes_on = true;
            return Some(self.known_invariant(frame, worklist, of, both));
        }
        self.transfer.eval.context.reads.absorb(&sought.footprint);
        let (invariant, prunings) = (sought.invariant.clone(), sought.prunings.clone());
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.prunings.add(&prunings);
        }
        Some(invariant)
    }
}
