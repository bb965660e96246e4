// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions on a cycle of calls: widening over their contexts (paper 004, 5.4).

use crate::domain::value::{Kind, Value};
use crate::effort::recursion::{ALL_CONTEXTS, JOINED_ROUNDS, MOST_CONTEXTS, WIDEST_COUNT};
use crate::engine::analyser::Analyser;
use crate::engine::call::Recursion;
use crate::engine::effects::Effects;
use crate::engine::facts::Frame;
use crate::program::thresholds::Thresholds;
use crate::state::State;

/// Whether a recursive call counts down: a parameter has fewer values than before, and few. What it does is then found out
/// for itself, `f(n - 1)` apart from `f(n)`, and not mixed up with all other calls.
fn counts_down(entry: &State, around: &State) -> bool {
    entry.registers().iter().any(|(local, value)| match (&value.kind, around.registers().get(local)) {
        (Kind::Number(n), Some(Value { kind: Kind::Number(m), .. })) => {
            let few = n.hi().checked_sub(n.lo()).is_some_and(|width| width <= WIDEST_COUNT);
            few && n != m && n.is_subset(m)
        }
        _ => false,
    })
}

/// The exit state with a new one, and whether that is more than before.
fn grown(
    old: Option<State>,
    new: Option<State>,
    widen: bool,
    thresholds: &crate::program::thresholds::Thresholds,
) -> (Option<State>, bool) {
    match (old, new) {
        (old, None) => (old, false),
        (None, new) => (new, true),
        (Some(old), Some(new)) => {
            if new.is_subset(&old) {
                return (Some(old), false);
            }
            let joined = old.join(&new);
            (Some(if widen { old.widen(&joined, thresholds) } else { joined }), true)
        }
    }
}

impl<'p> Analyser<'p> {
    pub(crate) fn run_recursive(&mut self, frame: &Frame<'p>, entry: State, alone: bool) -> Option<State> {
        let function = frame.function;
        let thresholds = self.transfer.eval.facts.thresholds(function);
        let apart = |running: &Recursion| {
            running.depth < MOST_CONTEXTS
                && self
                    .transfer
                    .eval
                    .context
                    .contexts
                    .get(&function)
                    .is_none_or(|count| *count < ALL_CONTEXTS)
                && (alone || counts_down(&entry, &running.entry))
        };
        let around = match self.transfer.eval.context.recursion.get(&function) {
            Some(running) if apart(running) => self.transfer.eval.context.recursion.remove(&function),
            _ => None,
        };
        let depth = around.as_ref().map_or(0, |around| around.depth + 1);
        if let Some(running) = self.transfer.eval.context.recursion.get_mut(&function) {
            if !entry.is_subset(&running.entry) {
                let joined = running.entry.join(&entry);
                running.entry = if running.rounds < JOINED_ROUNDS {
                    joined
                } else {
                    running.entry.widen(&joined, &thresholds)
                };
                running.grew = true;
            }
            // What it allocates and writes on the way is not known yet: any allocation may have aged.
            self.transfer.eval.context.aged.extend(self.transfer.eval.facts.objects.recent());
            self.transfer.eval.context.written.note(None);
            let (exit, base, effects) = (running.exit.clone(), running.base, running.effects.clone());
            self.transfer.eval.context.absorb_effects(&effects);
            self.transfer.eval.context.note_unfinished(base);
            return exit;
        }
        *self.transfer.eval.context.contexts.entry(function).or_default() += 1;
        let base = self.transfer.eval.context.notes.len();
        self.transfer.eval.context.recursion.insert(
            function,
            Recursion { entry, exit: None, grew: false, rounds: 0, base, depth, effects: Effects::default() },
        );
        let recording = self.transfer.eval.context.recording;
        loop {
            self.transfer.eval.context.recording = false;
            while !self.transfer.eval.budget.cancelled && !self.round_of_recursion(frame, &thresholds) {}
            self.transfer.eval.context.recording = recording;
            // A call inside that was remembered while nothing was recorded is analysed for the record, and may then be
            // part of this recursion: what it adds has to be found out as all else.
            if !recording
                || self.transfer.eval.budget.cancelled
                || self.round_of_recursion(frame, &thresholds)
            {
                break;
            }
        }
        if recording && !self.transfer.eval.budget.cancelled {
            self.transfer.eval.after_recursion();
        }
        let done = self.transfer.eval.context.recursion.remove(&function);
        if let Some(mut around) = around {
            if let Some(done) = &done {
                around.effects.absorb(&done.effects);
            }
            self.transfer.eval.context.recursion.insert(function, around);
        }
        done.and_then(|done| done.exit)
    }

    /// Runs a recursive function once from all that is known to come to it; whether that has found nothing new.
    fn round_of_recursion(&mut self, frame: &Frame<'p>, thresholds: &Thresholds) -> bool {
        let running =
            |this: &Self| this.transfer.eval.context.recursion.get(&frame.function).map(|r| r.entry.clone());
        let Some(entry) = running(self) else { return true };
        let effects = self
            .transfer
            .eval
            .context
            .recursion
            .get(&frame.function)
            .map_or(0, |running| running.effects.len());
        let exit = self.run(frame, entry).into_iter().reduce(|a, b| a.join(&b));
        let Some(running) = self
            .transfer
            .eval
            .context
            .recursion
            .get_mut(&frame.function)
            .filter(|_| !self.transfer.eval.budget.cancelled)
        else {
            return true;
        };
        running.rounds += 1;
        let entry_grew = std::mem::take(&mut running.grew);
        let widens = running.rounds > JOINED_ROUNDS;
        let (merged, exit_grew) = grown(running.exit.take(), exit, widens, thresholds);
        running.exit = merged;
        let effects_grew = running.effects.len() > effects;
        !entry_grew && !exit_grew && !effects_grew
    }
}
