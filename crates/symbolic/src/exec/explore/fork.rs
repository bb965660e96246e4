// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side that an execution takes of a forked branch. Which branches are forked, and what all sides say together, is the
//! business of `forking`.

use crate::exec::context::Exec;
use crate::exec::state::State;
use crate::term::TermId;

impl Exec<'_> {
    /// The side of a branch that the execution takes, if it takes one only.
    pub fn forked(&mut self, state: &State, condition: TermId) -> Option<bool> {
        let fork = self.plan.fork.as_ref()?;
        if !fork.sites.contains(&self.position.at) || state.path.decides(&mut self.terms, condition).is_some()
        {
            return None;
        }
        // What comes first leaves loops, so that the shortest runs do.
        let side = fork.script.get(fork.taken.len()).copied().unwrap_or(false);
        let other = if side { self.terms.not(condition) } else { condition };
        let guard = state.guard(&mut self.terms);
        let missed = self.terms.and(guard, other);
        self.plan.fork.as_mut()?.taken.push((side, missed));
        Some(side)
    }
}
