// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an execution notes down: it asks no solver, and what its notes say together is the business of `query`.

pub(crate) mod event;
pub(crate) mod input;
pub(crate) mod text;

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, ObligationId};
use rustc_hash::FxHashSet;

use crate::exec::state::State;
use crate::exec::state::remains::Remains;
use crate::exec::state::value::ObjectId;
use crate::term::{TermId, Terms};
use event::{Event, EventKind, Reason};
use input::Read;
use text::Source;

/// The notes of an execution.
#[derive(Default)]
pub(crate) struct Record {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What was read from outside, in order.
    pub inputs: Vec<Read>,
    /// Objects of the heap that somebody answers for.
    pub births: Vec<Birth>,
    /// Where texts come from.
    pub sources: Vec<Source>,
    /// What likely runs do.
    pub wishes: Vec<TermId>,
    /// What holds of runs that start as most do.
    pub usual: Vec<TermId>,
    /// Obligations whose condition was not understood.
    pub unjudged: BTreeSet<(FuncId, ObligationId)>,
    /// Functions without a body that were called.
    pub missing: BTreeSet<FuncId>,
    /// Whether functions were kept that run after `main`.
    pub has_handlers: bool,
    /// Segments that were stepped over.
    pub stepped_over: u64,
    /// Cases that pointers lost.
    pub pruned: u64,
    /// Objects and registers whose first contents were chosen.
    pub chosen: Vec<Chosen>,
    /// Reads of objects that are not whole, with their guards.
    limited: FxHashSet<(ObjectId, TermId)>,
}

/// An object of the heap and the obligation of the call that made it.
pub(crate) struct Birth {
    pub object: ObjectId,
    pub function: FuncId,
    pub obligation: ObligationId,
}

/// An object whose first contents are chosen.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub guard: TermId,
    pub name: String,
    pub remains: Remains,
}

/// How far the notes had come.
pub(crate) struct Mark {
    events: usize,
    inputs: usize,
    wishes: usize,
    limited: FxHashSet<(ObjectId, TermId)>,
}

impl Mark {
    /// How many events there were.
    pub fn events(&self) -> usize {
        self.events
    }
}

impl Record {
    /// Notes that runs are not followed: those of the state for which the condition holds.
    pub fn cut_if(&mut self, terms: &mut Terms, state: &State, condition: TermId, why: Reason) {
        let guard = state.guard(terms);
        let happens = terms.and(guard, condition);
        if !terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Cut(why) });
        }
    }

    /// Notes that inputs do not decide what the runs of a state do from here on.
    pub fn loosen(&mut self, terms: &mut Terms, state: &State) {
        let happens = state.guard(terms);
        self.events.push(Event { happens, kind: EventKind::Loose });
    }

    /// Only runs in which the condition holds go on. `false`: there are none.
    #[must_use]
    pub fn assume(&mut self, terms: &mut Terms, state: &State, condition: TermId) -> bool {
        let guard = state.guard(terms);
        let not = terms.not(condition);
        let happens = terms.and(guard, not);
        if !terms.is_false(happens) {
            self.events.push(Event { happens, kind: EventKind::Assume });
        }
        !terms.is_false(condition)
    }

    /// Runs in which the condition holds are the likely ones.
    pub fn wish(&mut self, terms: &mut Terms, guard: TermId, condition: TermId) {
        let wish = terms.implies(guard, condition);
        if !terms.is_true(wish) {
            self.wishes.push(wish);
        }
    }

    /// An object that is not whole is read under a guard: whether that is new.
    pub fn limit(&mut self, object: ObjectId, guard: TermId) -> bool {
        self.limited.insert((object, guard))
    }

    /// What there is to undo a part of the execution.
    pub fn mark(&self) -> Mark {
        Mark {
            events: self.events.len(),
            inputs: self.inputs.len(),
            wishes: self.wishes.len(),
            limited: self.limited.clone(),
        }
    }

    /// Reads of objects that are not whole are noted anew.
    pub fn forget_limits(&mut self) {
        self.limited.clear();
    }

    /// Takes back what was noted down since. Terms and objects stay: nobody knows of them.
    pub fn undo(&mut self, mark: Mark) {
        self.events.truncate(mark.events);
        self.inputs.truncate(mark.inputs);
        self.wishes.truncate(mark.wishes);
        self.limited = mark.limited;
    }
}
