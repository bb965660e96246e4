// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that need not be analysed again: the same function in the same situation gives the same result.
//!
//! A summary is kept of a call that was analysed: what it started from, as far as it looked, and all that it did. A
//! later call takes it over if it starts from *equal* values (not from smaller ones: that would be sound, but give
//! away what calls in their contexts are for). Why that is sound, piece by piece:
//!
//! - **What a call may depend on.** The analysis of a body is a deterministic function of the registers it starts with
//!   and all that is said in terms of them or of objects, which is compared, and of the objects that it looks up: `footprint` notes each look, and those
//!   objects are compared. Objects that it did not look up pass through as they are. Where it looked at all objects
//!   (an unknown pointer is written through, a heap object becomes one of the older ones), the whole memory is
//!   compared. So are the packs with a place in an object that was looked up (`tuple`). Whether the result is used, and which call of the program led into a model, are part of the key.
//! - **Budgets** (iterations that may still be unrolled, states kept apart) decide how precise the result is, not whether
//!   it is sound; a result from an earlier, larger budget is as good.
//! - **Recursion.** A call that asked for the result of a function on the stack depends on what is known of that one
//!   so far, and adds to its entry. Such calls are not kept; the outermost call of a recursive function may be, and
//!   those inside it that count down and are found out for themselves.
//! - **Iteration and checking.** In iteration mode nothing is recorded, so a summary from there serves only there.
//!   One from checking mode serves both: what its obligations came to is in the results for good, and another start
//!   from equal values would add the same once more.
//! - **given.** What obligations rest on is the one thing that may differ where values do not. So the obligations
//!   that were judged and the places where runs were pruned (`pruned_paths`) are kept, and rest on what the new call rests
//!   on too; its exits, and what may come back of what was pruned, rest on that and on what was pruned inside. Heap
//!   objects that the call did not look at were as alive at its prunings as the new caller says.
//! - **Everything else a call leaves**: what it read and wrote goes to open regions of unordered calls, objects that
//!   aged to the caller, memory at the program's exits and states at loop heads to the results, each with the objects
//!   that the call did not look up taken from the new caller. Leak obligations, functions reached and the like only
//!   ever grow, and were noted the first time.
//!
//! Where calls of one function have cost much, contexts are no longer told apart: see `context_insensitive`.

use std::cell::Cell;
use std::collections::BTreeMap;

use clew_ir::syntax::{BlockId, FuncId};
use rustc_hash::FxHashMap;

use crate::effort::summary::{LEAST_STEPS, MOST_OF_RECURSION, MOST_SITUATIONS};
use crate::engine::analyser::Analyser;
use crate::engine::context::CallContext;
use crate::engine::facts::Frame;
use crate::engine::pruned_paths::Place;
use crate::engine::results::Subject;
use crate::engine::summaries::{
    Changed, Debt, EntryReads, Key, Later, Notes, Summary, tuples_of, without_memory,
};
use crate::memory::footprint::Footprint;
use crate::memory::object::Obj;
use crate::program::object::ObjectId;
use crate::state::PruningId;
use crate::state::State;
use crate::state::given::Given;

/// A call that was just analysed.
struct Ran {
    exits: Vec<State>,
    recorded: bool,
    footprint: Footprint,
    notes: Notes,
    steps: u64,
}

impl CallContext {
    /// The running calls above the one that a recursive function began with depend on what is known of it so far.
    pub(crate) fn note_unfinished(&mut self, base: usize) {
        for notes in self.notes.iter_mut().skip(base) {
            notes.is_partial = true;
        }
    }

    /// An obligation was judged for the report.
    pub(crate) fn note_subject(&mut self, subject: Subject) {
        if let Some(notes) = self.notes.last_mut() {
            notes.subjects.insert(subject);
        }
    }

    /// Runs were pruned at a place.
    pub(crate) fn note_pruned(&mut self, place: Place) {
        if let Some(notes) = self.notes.last_mut() {
            notes.pruned_at.insert(place);
        }
    }

    /// Runs that were pruned may come back to the caller.
    pub(crate) fn note_pending(&mut self) {
        if let Some(notes) = self.notes.last_mut() {
            notes.may_return_pruned = true;
        }
    }

    /// The violation of an obligation was pruned.
    pub(crate) fn note_pruning(&mut self, number: PruningId) {
        if let Some(notes) = self.notes.last_mut() {
            notes.prunings.insert(number);
        }
    }
}

impl<'p> Analyser<'p> {
    /// The states in which a call from this entry returns, found out before or now, and whether runs that were pruned
    /// in it may come back too.
    pub(crate) fn recall_or_run(&mut self, frame: &Frame<'p>, entry: State) -> (Vec<State>, bool) {
        let key = (frame.function, frame.result_used, self.transfer.eval.context.model_call);
        // A recursion that counts down is in another situation each time, and that is what it is about.
        let counts = self.transfer.eval.facts.recursive.contains(&frame.function);
        let general = |this: &mut Self| if counts { None } else { this.recall_joined(key, &entry) };
        if let Some(found) = self.recall(key, &entry).or_else(|| general(self)) {
            return found;
        }
        if !counts && let Some(more) = self.joined_context(key, &entry) {
            return self.run_joined(frame, key, more, &entry);
        }
        // What was found out for itself before is recorded for itself, or the record would be of other calls.
        let is_known =
            |list: &Vec<Summary>| list.iter().any(|s| s.fits(&entry, &self.transfer.tuples, false));
        let alone = counts
            && self.transfer.eval.context.recording
            && self.memo.summaries.kept.get(&key).is_some_and(is_known);
        let ran = self.run_noted(frame, entry.clone(), alone);
        let may_return_pruned = ran.notes.may_return_pruned;
        // Inside a recursion what is cheap alone is asked for again and again.
        let is_costly = ran.steps >= LEAST_STEPS || !self.transfer.eval.context.recursion.is_empty();
        if !self.transfer.eval.budget.cancelled && !ran.notes.is_partial && is_costly {
            let summary = self.summarise(entry, &ran.exits, ran.recorded, ran.footprint, ran.notes, false);
            let most = if self.transfer.eval.context.recursion.is_empty() {
                MOST_SITUATIONS
            } else {
                MOST_OF_RECURSION
            };
            self.memo.summaries.keep(key, summary, most);
        }
        (ran.exits, may_return_pruned)
    }

    /// Analyses a call, and notes all that it does. `alone`: not as part of a running recursion, if that is not too deep.
    fn run_noted(&mut self, frame: &Frame<'p>, entry: State, alone: bool) -> Ran {
        let started = self.transfer.eval.budget.steps;
        let recorded = self.transfer.eval.context.recording;
        self.transfer.eval.context.reads.begin_call();
        self.transfer.eval.context.notes.push(Notes::default());
        let exits = if self.transfer.eval.facts.recursive.contains(&frame.function) {
            self.run_recursive(frame, entry, alone).into_iter().collect()
        } else {
            self.run(frame, entry)
        };
        let footprint = self.transfer.eval.context.reads.end_call();
        let notes = self.transfer.eval.context.notes.pop().unwrap_or_default();
        if let Some(outer) = self.transfer.eval.context.notes.last_mut() {
            outer.absorb(&notes);
        }
        let steps = self.transfer.eval.budget.steps - started;
        // Calls inside a call of the same function are part of what that one costs.
        if !self.transfer.eval.context.stack.contains(&frame.function) {
            self.memo.summaries.spend(frame.function, steps);
        }
        Ran { exits, recorded, footprint, notes, steps }
    }

    /// Analyses a call from an entry that holds more than its own.
    fn run_joined(&mut self, frame: &Frame<'p>, key: Key, more: State, entry: &State) -> (Vec<State>, bool) {
        let was_hurried = std::mem::replace(&mut self.transfer.eval.context.is_hurried, true);
        let ran = self.run_noted(frame, more.clone(), false);
        self.transfer.eval.context.is_hurried = was_hurried;
        let may_return_pruned = ran.notes.may_return_pruned;
        if self.transfer.eval.budget.cancelled {
            return (Vec::new(), may_return_pruned);
        }
        let is_partial = ran.notes.is_partial;
        let summary = self.summarise(more, &ran.exits, ran.recorded, ran.footprint, ran.notes, true);
        let before = self.passed_by(entry, &summary);
        let exits = summary.exits.iter().map(|exit| exit.from(&before)).collect();
        if !is_partial && let Some(old) = self.memo.summaries.keep_joined(key, summary) {
            self.memo.summaries.gone.extend(old.debt());
        }
        (exits, may_return_pruned)
    }

    fn recall_joined(&mut self, key: Key, entry: &State) -> Option<(Vec<State>, bool)> {
        let mut summary = self.memo.summaries.general.get_mut(&key)?.summary.take()?;
        let found = summary.covers(entry, self.transfer.eval.context.recording).then(|| {
            let before = self.passed_by(entry, &summary);
            self.take_over(&mut summary, &before);
            (summary.exits.iter().map(|exit| exit.from(&before)).collect(), summary.may_return_pruned)
        });
        self.memo.summaries.general.get_mut(&key)?.summary = Some(summary);
        found
    }

    fn recall(&mut self, key: Key, entry: &State) -> Option<(Vec<State>, bool)> {
        let list = self.memo.summaries.kept.get_mut(&key)?;
        let at = list.iter().position(|summary| {
            summary.fits(entry, &self.transfer.tuples, self.transfer.eval.context.recording)
        })?;
        // The last one asked for is the last in the list.
        list[at..].rotate_left(1);
        let mut summary = list.pop()?;
        if let EntryReads::Everything(memory) = &mut summary.reads {
            // They are equal, and this one shares more with the states that follow.
            *memory = entry.memory.clone();
        }
        self.take_over(&mut summary, entry);
        let exits = summary.exits.iter().map(|exit| exit.from(entry)).collect();
        let may_return_pruned = summary.may_return_pruned;
        self.memo.summaries.kept.get_mut(&key)?.push(summary);
        Some((exits, may_return_pruned))
    }

    /// Does what the call did beyond its exits.
    fn take_over(&mut self, summary: &mut Summary, entry: &State) {
        self.transfer.eval.context.reads.absorb(&summary.footprint);
        self.transfer.eval.context.aged.extend(&summary.aged);
        self.transfer.eval.context.written.extend(&summary.written);
        self.transfer.eval.context.absorb_effects(&summary.effects);
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.prunings.add(&summary.prunings);
        }
        if !self.transfer.eval.context.recording {
            return;
        }
        if let Some(end) = &summary.ends {
            let state = end.from(entry);
            self.note_exit(&state);
        }
        for (place, head) in &summary.heads {
            if !self.follows_head(*place) {
                continue;
            }
            let state = head.from(entry);
            self.note_head(*place, &state);
        }
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.subjects.extend(&summary.subjects);
            notes.pruned_at.extend(&summary.pruned_at);
        }
        self.stay_alive(summary, entry);
        if summary.may_return_pruned {
            self.transfer.eval.recorder.pruned.pending = entry.given.union(&summary.pending);
        }
        if !entry.given.is_subset(&summary.given) {
            summary.given.add(&entry.given);
            summary.rests_on_more = true;
        }
    }

    /// Objects that the call did not look at were as alive where it pruned something as they were before.
    fn stay_alive(&mut self, summary: &Summary, entry: &State) {
        if summary.footprint.is_everything() || summary.prunings.is_empty() {
            return;
        }
        let passed_by = |id: &ObjectId| {
            let object = entry.memory.unrecorded().get(*id);
            !summary.footprint.contains(*id) && object.is_some_and(|o| o.life.alive)
        };
        let alive: Vec<ObjectId> = self.transfer.eval.facts.objects.heap().filter(passed_by).collect();
        for number in summary.prunings.iter().filter(|_| !alive.is_empty()) {
            self.transfer.eval.recorder.pruned.also_alive(number, &alive);
        }
    }

    /// Tells the results what the obligations of calls that were not analysed again rest on.
    pub(crate) fn settle_summaries(&mut self) {
        let summaries = std::mem::take(&mut self.memo.summaries);
        let general = summaries.general.into_values().filter_map(|general| general.summary);
        let kept = summaries.kept.into_values().flatten().chain(general).filter_map(Summary::debt);
        let debts: Vec<Debt> = summaries.gone.into_iter().chain(kept).collect();
        let mut by_subject: BTreeMap<Subject, Vec<usize>> = BTreeMap::new();
        for (at, debt) in debts.iter().enumerate() {
            for subject in &debt.subjects {
                by_subject.entry(*subject).or_default().push(at);
            }
        }
        // Most obligations of a function are in the same calls: what these rest on together is made once.
        let mut together: FxHashMap<Vec<usize>, Given> = FxHashMap::default();
        for (subject, which) in by_subject {
            let given = together.entry(which).or_insert_with_key(|which| {
                which.iter().fold(Given::default(), |all, at| debts[*at].given.union(&all))
            });
            self.transfer.eval.recorder.results.rest_on(&subject, given);
        }
        let mut by_place: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        for (at, debt) in debts.iter().enumerate() {
            for place in &debt.pruned_at {
                by_place.entry(*place).or_default().push(at);
            }
        }
        for (place, which) in by_place {
            let given = together.entry(which).or_insert_with_key(|which| {
                which.iter().fold(Given::default(), |all, at| debts[*at].given.union(&all))
            });
            self.transfer.eval.recorder.pruned.put(place, given);
        }
    }

    fn summarise(
        &self,
        entry: State,
        exits: &[State],
        recorded: bool,
        footprint: Footprint,
        notes: Notes,
        is_general: bool,
    ) -> Summary {
        let touched = |id: ObjectId, object: &Obj| self.may_be_touched(id, object);
        let changed = match is_general {
            true => Changed::OrTouched(&footprint, &touched),
            false => Changed::Values,
        };
        let later = |state: &State| Later::new(state.clone(), &entry, &notes.prunings, &changed);
        let exits = exits.iter().map(later).collect();
        let heads = notes.heads.iter().map(|(place, state)| (*place, later(state))).collect();
        let ends = notes.ends.as_ref().map(later);
        let pending = notes.prunings.common(&self.transfer.eval.recorder.pruned.pending);
        let mut subjects: Vec<Subject> = notes.subjects.into_iter().collect();
        subjects.sort_unstable();
        let memory = &entry.memory;
        let tuples = match footprint.is_everything() {
            true => tuples_of(&entry, None, &self.transfer.tuples),
            false => tuples_of(&entry, Some(&mut footprint.iter()), &self.transfer.tuples),
        };
        let reads = if footprint.is_everything() {
            EntryReads::Everything(memory.clone())
        } else {
            EntryReads::Objects(
                footprint.iter().map(|id| (id, memory.unrecorded().get(id).cloned())).collect(),
            )
        };
        Summary {
            recorded,
            entry: without_memory(&entry),
            given: entry.given,
            reads,
            tuples,
            clock: entry.memory.unrecorded().clock(),
            footprint,
            exits,
            aged: self.transfer.eval.context.aged.clone(),
            written: self.transfer.eval.context.written.clone(),
            effects: notes.effects,
            subjects,
            prunings: notes.prunings,
            heads,
            ends,
            pruned_at: notes.pruned_at.into_iter().collect(),
            may_return_pruned: notes.may_return_pruned,
            pending,
            told_apart_by: Cell::new(None),
            rests_on_more: false,
        }
    }

    /// Whether what holds at a loop head is noted.
    pub(crate) fn follows_head(&mut self, place: (FuncId, BlockId)) -> bool {
        self.transfer
            .eval
            .recorder
            .results
            .follows_head(place, self.transfer.eval.facts.options.all_invariants)
    }

    /// What holds at a loop head.
    pub(crate) fn note_head(&mut self, place: (FuncId, BlockId), state: &State) {
        self.transfer.eval.recorder.results.head(place.0, place.1, state);
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.head(place, state);
        }
    }

    /// The run ends normally here.
    pub(crate) fn note_exit(&mut self, state: &State) {
        // Only the record counts, and a summary from an iteration serves only there.
        if !self.transfer.eval.context.recording {
            return;
        }
        let memory = state.memory_alone();
        if let Some(notes) = self.transfer.eval.context.notes.last_mut() {
            notes.end(&memory);
        }
        self.transfer.eval.recorder.exits = Some(match self.transfer.eval.recorder.exits.take() {
            None => memory,
            Some(other) => other.join(&memory),
        });
    }
}
