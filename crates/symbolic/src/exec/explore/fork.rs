// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side that an execution takes of a forked branch. Which branches are forked, and what all sides say together, is the
//! business of `forking`.

use crate::exec::context::evaluator::Evaluator;
use crate::exec::state::State;
use crate::term::TermId;

impl Evaluator<'_> {
    /// The side of a branch that the execution takes, if it takes one only.
    pub fn forked(&mut self, state: &State, condition: TermId) -> Option<bool> {
        let fork = self.plan.fork.as_ref()?;
        if !fork.sites.contains(&self.position.at)
            || state.path.decides(&mut self.encoder.terms, condition).is_some()
        {
            return None;
        }
        // What comes first leaves loops, so that the shortest runs do.
        let side = fork.script.get(fork.taken.len()).copied().unwrap_or(false);
        let other = if side { self.encoder.terms.not(condition) } else { condition };
        let guard = state.guard(&mut self.encoder.terms);
        let missed = self.encoder.terms.and(guard, other);
        self.plan.fork.as_mut()?.taken.push((side, missed));
        Some(side)
    }
}
