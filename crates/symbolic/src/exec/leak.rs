// SPDX-License-Identifier: MIT OR Apache-2.0
//! Leaks: whether what was allocated still lives where a run ends.
//!
//! What is dead by then was not lost. What lives may still be held by something, which is not looked at here: a run that
//! ends with it is a guess, and the interpreter knows.

use clew_base::index::Idx;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{FuncId, ObligationId, StatementKind};

use super::engine::{Event, EventKind, Exec, Shows};
use super::state::State;
use super::value::ObjectId;
use clew_ir::location::Location;

/// An object of the heap and the obligation of the call that made it.
pub(super) struct Birth {
    object: ObjectId,
    function: FuncId,
    obligation: ObligationId,
}

impl Exec<'_> {
    /// An object was made in the library: the call that led there answers for it.
    pub fn born(&mut self, object: ObjectId) {
        let Some(at) = self.library_call() else { return };
        if let Some(obligation) = self.leak_obligation(at) {
            self.births.push(Birth { object, function: at.function, obligation });
        }
    }

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

    /// A run ends: what still lives may be lost.
    pub fn judge_leaks(&mut self, state: &State) {
        let guard = state.guard(&mut self.terms);
        for index in 0..self.births.len() {
            let Birth { object, function, obligation } = self.births[index];
            let Some(alive) = state.memory.get(object).map(|object| object.alive) else { continue };
            let happens = self.terms.and(guard, alive);
            let is_open = self.options.open.contains(&(function, obligation));
            if is_open && !self.terms.is_false(happens) {
                let (call, stops, shows) = (None, false, Shows::Perhaps);
                let kind = EventKind::Check { function, obligation, call, stops, is_open, shows };
                self.events.push(Event { happens, kind });
            }
        }
    }
}
