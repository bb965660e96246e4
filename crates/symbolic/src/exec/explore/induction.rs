// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops of any number of iterations: k-induction with what another engine knows of their heads.
//!
//! A run that violates something does so in some iteration of a loop. Either that is one of the first, which are
//! followed from where the loop is entered; or there are `k - 1` iterations before it, in which nothing was violated
//! that ends runs (Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver", 2000). The
//! first of these starts in *any* state that differs from the one at the entry only in what iterations change. What
//! they change is found out by execution (`changes`): an iteration from the entry's state shows some of it, which is
//! then made arbitrary, until an iteration changes nothing else. Contents become any bytes, numbers any numbers within
//! what is known of the head, a pointer any place in one of the objects that iterations lead it to, and everything else
//! is lost, so that runs that depend on it are cut.
//!
//! Runs that leave the loop go on behind it: from the first iterations, and from the last of the `k`. Their guards
//! exclude each other for what a run really does: one that leaves in the first iterations is also among the arbitrary
//! starts, at its own entry, and leaves there before the last iteration. So an execution follows more runs than there
//! are, and what it proves holds; what it finds violated may be nothing.

use clew_ir::analysis::order::Component;
use clew_ir::syntax::{BlockId, Body};

use crate::effort::{INPUT_FREE_ITERATIONS_BEFORE_INDUCTION, MOST_CHANGE_ROUNDS};
use crate::exec::context::Exec;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::explore::blocks::{Pending, has_pending};
use crate::exec::explore::changes::Changes;
use crate::exec::record::event::Reason;
use crate::exec::state::State;

/// A loop of the running call.
#[derive(Clone, Copy)]
pub(crate) struct Loop<'a> {
    pub head: BlockId,
    pub rest: &'a [Component],
    pub body: &'a Body,
}

impl Evaluator<'_> {
    /// Runs that entered a loop beside its head are not followed.
    fn give_up(&mut self, rest: &[Component], pending: &mut Pending) {
        for item in rest {
            let (head, inner) = match item {
                Component::Block(block) => (block, &[][..]),
                Component::Loop(head, inner) => (head, inner.as_slice()),
            };
            for state in pending.blocks.remove(head).unwrap_or_default() {
                self.cut(&state, Reason::Depth);
            }
            self.give_up(inner, pending);
        }
    }
}

impl Exec<'_> {
    /// A loop, by induction over its iterations.
    pub fn induct(&mut self, of: Loop<'_>, k: u32, pending: &mut Pending) {
        let is_entered_beside = has_pending(of.rest, pending);
        let arrived = pending.blocks.remove(&of.head);
        let Some(entry) = arrived.and_then(|states| self.joined(states)) else {
            if is_entered_beside {
                self.eval.give_up(of.rest, pending);
            }
            return;
        };
        if is_entered_beside {
            self.eval.cut(&entry, Reason::Depth);
            return self.eval.give_up(of.rest, pending);
        }
        if self.plain(of, entry.clone(), pending) {
            return;
        }
        let Some(changes) = self.changes(of, &entry) else { return self.eval.cut(&entry, Reason::Depth) };
        self.first_iterations(of, k, entry.clone(), pending);
        let mut state = Some(self.eval.anywhere(of, &entry, &changes));
        for _ in 1..k {
            let Some(start) = state else { return };
            self.eval.position.trusting += 1;
            // Who leaves here is followed from an earlier start, or from the entry.
            state = self.iteration(of, start, &mut Pending::default());
            self.eval.position.trusting -= 1;
        }
        if let Some(start) = state {
            // What comes back to the head is one of the states that were started from.
            let _ = self.iteration(of, start, pending);
        }
    }

    /// One iteration: the state that comes back to the head. Who leaves waits with the others.
    fn iteration(&mut self, of: Loop<'_>, start: State, pending: &mut Pending) -> Option<State> {
        let mut inner = Pending::default();
        inner.add(of.head, start);
        self.block(of.head, of.body, &mut inner);
        self.items(of.rest, of.body, &mut inner);
        let back = inner.blocks.remove(&of.head);
        pending.take(inner);
        back.and_then(|states| self.joined(states))
    }

    /// The iterations before the first that has `k - 1` before it.
    fn first_iterations(&mut self, of: Loop<'_>, k: u32, entry: State, pending: &mut Pending) {
        let mut state = Some(entry);
        for _ in 1..k {
            let Some(start) = state else { return };
            state = self.iteration(of, start, pending);
        }
    }

    /// A loop that depends on no input is only computation: its iterations are made. `false`: it is not, or too long.
    fn plain(&mut self, of: Loop<'_>, entry: State, pending: &mut Pending) -> bool {
        let mark = self.eval.record.mark();
        let guard = entry.guard(&mut self.eval.encoder.terms);
        let inputs = self.eval.record.inputs.len();
        let mut inner = Pending::default();
        let mut state = entry;
        for _ in 0..INPUT_FREE_ITERATIONS_BEFORE_INDUCTION {
            match self.iteration(of, state, &mut inner) {
                None => {
                    pending.take(inner);
                    return true;
                }
                Some(back)
                    if back.guard(&mut self.eval.encoder.terms) == guard
                        && inputs == self.eval.record.inputs.len() =>
                {
                    state = back;
                }
                Some(_) => break,
            }
        }
        self.eval.record.undo(mark);
        false
    }

    /// What the iterations of a loop change. None if that is not followed.
    fn changes(&mut self, of: Loop<'_>, entry: &State) -> Option<Changes> {
        let mut changes = Changes::default();
        for _ in 0..MOST_CHANGE_ROUNDS {
            let mark = self.eval.record.mark();
            let start = self.eval.anywhere(of, entry, &changes);
            let back = self.iteration(of, start.clone(), &mut Pending::default());
            self.eval.record.undo(mark);
            let Some(back) = back else { return Some(changes) };
            let more = self.eval.encoder.more(of.body, &start, &back, &mut changes)?;
            if !more {
                return Some(changes);
            }
        }
        None
    }
}
