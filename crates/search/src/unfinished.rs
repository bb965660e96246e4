// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that are too long for the search: what they come to is for whoever runs faster to say.
//!
//! A handful that differ: that on dull inputs, those that came nearest to what is open, constants, special values.

use std::rc::Rc;

use clew_interpreter::Outcome;
use clew_interpreter::outcome::{End, RunError};
use clew_ir::witness::Witness;

use crate::effort::{
    LONG_RUN, MANY_ALLOCATIONS, MOST_NEAREST, MOST_REMEMBERED, MOST_TRIED_UNFINISHED, MOST_UNFINISHED,
    MOST_WITNESS_NUMBERS, SHOWN_ZEROS,
};
use crate::engine::Engine;
use crate::feedback::Target;
use crate::tape::{Log, Tape};
use crate::witness;

/// A run that ended because it had taken its steps.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// Its inputs.
    pub witness: Witness,
    /// Whether the program has no other run.
    pub is_only: bool,
}

/// Whether a run ended because it had taken so many steps.
pub(crate) fn is_cut(outcome: &Outcome, steps: u64) -> bool {
    matches!(outcome.end, End::Error(RunError::Limit(_))) && outcome.steps >= steps
}

impl Engine<'_> {
    /// Remembers a run that was cut.
    pub(crate) fn remember_cut(&mut self, tape: &Tape, log: &Log) {
        self.cut_allocations = self.cut_allocations.max(log.allocations.len());
        if self.cut.len() < MOST_REMEMBERED && self.cut.iter().all(|known| **known != *tape) {
            self.cut.push(Rc::new(tape.clone()));
        }
    }

    /// The runs that are too long. Those that are not are run to their end here.
    pub(crate) fn unfinished(&mut self) -> Vec<Unfinished> {
        let mut list: Vec<Unfinished> = Vec::new();
        if let Some(log) = self.first_cut.take() {
            let witness = with_few_zeros(&Tape::default(), log);
            list.push(Unfinished { witness, is_only: !self.chooses });
        }
        // Runs that do little but allocate are slow here, and no better elsewhere.
        let allocates = self.cut_allocations > MANY_ALLOCATIONS;
        let tried = if self.request.is_patient && !allocates { MOST_TRIED_UNFINISHED } else { 0 };
        for tape in self.candidates().into_iter().take(tried) {
            if list.len() == MOST_UNFINISHED || self.has_all() {
                break;
            }
            let Some(log) = self.is_long(&tape).filter(|log| log.numbers.len() <= MOST_WITNESS_NUMBERS)
            else {
                continue;
            };
            let witness = with_few_zeros(&tape, log);
            if !list.iter().any(|known| known.witness == witness) {
                list.push(Unfinished { witness, is_only: false });
            }
        }
        list
    }

    /// The cut runs that are nearest to what is open; then, in turn, those with numbers of their own, which are often
    /// constants of the source, and those that are all special values.
    fn candidates(&self) -> Vec<Rc<Tape>> {
        let is_cut = |tape: &Rc<Tape>| self.cut.iter().any(|cut| cut == tape);
        let mut near: Vec<(f64, &Rc<Tape>)> = Vec::new();
        for (target, (distance, start)) in &self.best {
            if matches!(target, Target::Violation(..)) && is_cut(&start.tape) {
                near.push((*distance, &start.tape));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let near = near.into_iter().take(MOST_NEAREST).map(|(_, tape)| tape);
        let (own, special): (Vec<_>, Vec<_>) = self.cut.iter().partition(|tape| !tape.numbers.is_empty());
        let longest = own.len().max(special.len());
        let others = (0..longest).flat_map(|at| [own.get(at), special.get(at)]).flatten().copied();
        let mut list: Vec<Rc<Tape>> = Vec::new();
        for tape in near.chain(others) {
            if **tape != Tape::default() && !list.contains(tape) {
                list.push(tape.clone());
            }
        }
        list
    }

    /// What a run asked for, if it is long.
    fn is_long(&mut self, tape: &Tape) -> Option<Log> {
        let (log, outcome) = self.run_unseen(tape, LONG_RUN, false);
        is_cut(&outcome, LONG_RUN).then_some(log)
    }
}

fn with_few_zeros(tape: &Tape, mut log: Log) -> Witness {
    let used = log.numbers.iter().rposition(|asked| asked.bits != 0).map_or(0, |at| at + 1);
    log.numbers.truncate(used + SHOWN_ZEROS);
    witness::witness(tape, &log)
}
