// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leaks: whether what was allocated still lives where a run ends.
//!
//! What is dead by then was not lost. What lives may still be held by something, which is not looked at here: a run that
//! ends with it is a guess, and the interpreter knows.

use clew_base::index::Idx;
use clew_ir::location::{Location, ObligationRef};
use clew_ir::obligation::Condition;
use clew_ir::syntax::{ObligationId, StatementKind};

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::Birth;
use crate::exec::record::event::{Event, EventKind, Shows};
use crate::exec::state::State;
use crate::exec::state::value::ObjectId;

impl Encoder<'_> {
    /// The obligation that stands before a call.
    fn leak_obligation(&self, at: Location) -> Option<ObligationId> {
        let body = self.body(at.function)?;
        let before = body.blocks[at.block].statements.get(..at.statement as usize)?;
        let checks = before.iter().rev().map_while(|statement| match statement.kind {
            StatementKind::Check { first, count } => Some((first, count)),
            _ => None,
        });
        let range = |(first, count): (ObligationId, u32)| first.index()..first.index() + count as usize;
        let mut ids = checks.flat_map(range).map(ObligationId::new);
        ids.find(|id| body.obligations[*id].condition == Condition::NotLeaked)
    }
}

impl Evaluator<'_> {
    /// An object was made in the library: the call that led there answers for it.
    pub fn born(&mut self, object: ObjectId) {
        let Some(at) = self.library_call() else { return };
        if let Some(obligation) = self.encoder.leak_obligation(at) {
            self.record.births.push(Birth { object, function: at.function, obligation });
        }
    }

    /// A run ends: what still lives may be lost.
    pub fn judge_leaks(&mut self, state: &State) {
        let guard = state.guard(&mut self.encoder.terms);
        for index in 0..self.record.births.len() {
            let Birth { object, function, obligation } = self.record.births[index];
            let Some(alive) = state.memory.get(object).map(|object| object.alive) else { continue };
            let happens = self.encoder.terms.and(guard, alive);
            let is_open = self.encoder.facts.options.open.contains(&(function, obligation));
            if is_open && !self.encoder.terms.is_false(happens) {
                let (subject, stops) = (ObligationRef::own(function, obligation), false);
                let kind = EventKind::Check { subject, stops, is_open, shows: Shows::Perhaps };
                self.record.events.push(Event { happens, kind });
            }
        }
    }
}
