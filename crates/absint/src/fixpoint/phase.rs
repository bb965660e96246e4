// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops that change their behaviour (a case of trace partitioning, paper 004, 7.1.4).
//!
//! ```text
//! while (x < 1000)
//!     if (x < 100)
//!         x++;
//!     else
//!         x += 2;          /* behind the loop x is even */
//! ```
//!
//! The iterations before such a test changes are one loop, those after it another, and each has an invariant of its own: `x` is
//! exactly 100 where the second begins. States at the head are told apart by the test as it comes out there; nothing is
//! assumed of how the loop changes it. If runs go back and forth, what each part gets from the other is added until
//! nothing is new; if that takes long, the loop is taken as one.
//!
//! Measured: 2 programs of the dev lists are lost without it, both loops.

use clew_ir::syntax::{ExprId, ExprKind, LocalId};

use crate::effort::phase::MOST_CHANGES;
use crate::engine::analyser::Analyser;
use crate::engine::facts::Frame;
use crate::fixpoint::iterate::{Loop, Worklist};
use crate::state::State;

/// The truth of a test where an iteration begins.
#[derive(Clone, Copy)]
pub(crate) struct Phase {
    test: ExprId,
    holds: bool,
}

impl<'p> Analyser<'p> {
    /// What holds at the head of a loop in each of its phases, if it has them.
    pub(crate) fn by_phase(
        &mut self,
        frame: &Frame<'p>,
        worklist: &mut Worklist,
        of: Loop<'_>,
        entry: &State,
    ) -> Option<Vec<State>> {
        let test = *frame.flow.phases.get(&of.head)?;
        let part = |holds| Phase { test, holds };
        // What comes to each part, and what holds there.
        let mut coming = [self.in_phase(frame, entry, part(false)), self.in_phase(frame, entry, part(true))];
        if coming.iter().flatten().count() != 1 {
            return None;
        }
        let mut found: [Option<State>; 2] = [None, None];
        let mut now = usize::from(coming[1].is_some());
        let recording = std::mem::replace(&mut self.transfer.eval.context.recording, false);
        for _ in 0..MOST_CHANGES {
            let Some(start) = coming[now].clone() else { break };
            let of = Loop { phase: Some(part(now == 1)), ..of };
            let invariant = self.invariant(frame, worklist, of, start);
            let (_, around) = self.iteration(frame, worklist, of, invariant.clone());
            found[now] = Some(invariant);
            now = 1 - now;
            let is_known = |more: &State| found[now].as_ref().is_some_and(|known| more.is_subset(known));
            let Some(more) = around.changed.filter(|more| !is_known(more)) else {
                self.transfer.eval.context.recording = recording;
                return (!self.transfer.eval.budget.cancelled).then(|| found.into_iter().flatten().collect());
            };
            coming[now] = Some(match &coming[now] {
                Some(before) => before.join(&more),
                None => more,
            });
        }
        self.transfer.eval.context.recording = recording;
        None
    }

    /// The runs of a state in which a test comes out as it says.
    fn in_phase(&mut self, frame: &Frame<'p>, state: &State, phase: Phase) -> Option<State> {
        let mut own = state.clone();
        // Nothing is read here: what was never written has no part in it.
        let is_written = |local: LocalId| state.registers().get(local).is_some_and(|v| !v.uninit);
        if !frame.body.expr_nodes(phase.test).into_iter().all(|node| match frame.body.exprs[node].kind {
            ExprKind::Local(local) => is_written(local),
            _ => true,
        }) {
            return Some(own);
        }
        if self.transfer.assume(frame, &mut own, phase.test, phase.holds) {
            return Some(own);
        }
        self.transfer.eval.prune(&state.given);
        None
    }

    /// What comes back to the head in this phase, and what comes back in the other.
    pub(crate) fn by_change(
        &mut self,
        frame: &Frame<'p>,
        back: Option<State>,
        phase: Option<Phase>,
    ) -> (Option<State>, Option<State>) {
        let (Some(state), Some(phase)) = (&back, phase) else { return (back, None) };
        let other = Phase { holds: !phase.holds, ..phase };
        (self.in_phase(frame, state, phase), self.in_phase(frame, state, other))
    }
}
