// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose calls have cost too much to be analysed in every context.
//!
//! Calls are analysed in their contexts, and a program in which everything calls everything has more contexts than anyone
//! can wait for. Once the calls of a function have taken its share of statements, it is analysed from an entry that holds the
//! entries of its calls together, widened as a loop is, and calls that start from no more take that result. This is
//! sound for the same reasons as summaries are (`summary`), with two differences:
//!
//! - The entry holds more runs than the call's own, so what the call leaves holds more too. Obligations are judged on all
//!   of them, and may stay open where a context of its own would have proved them.
//! - An object that was written, or whose life ended, on some paths only may look as it did at the entry, which held more.
//!   Such objects are taken from the exit. The others are the caller's own, but that pointers to the last object of
//!   an allocation may now point to one of the older ones.
//!
//! Tuples (`tuple`) are not handed in: what they say of the caller's objects would have to be widened too.
//! What is said of the caller's objects against the clock would have to follow ticks in the call, which need not be
//! alike for all: functions in which the clock may tick stay in their contexts.

use clew_ir::syntax::{FuncId, StatementKind};

use crate::domain::tuple::Tuples;
use crate::effort::context_insensitive::{CALLED_ONCE, CHEAP, JOINED};
use crate::engine::analyser::Analyser;
use crate::engine::facts::Facts;
use crate::engine::summaries::{JoinedContext, Key, Summary};
use crate::memory::object::Obj;
use crate::program::object::ObjectId;
use crate::state::State;

impl<'p> Facts<'p> {
    /// Whether a function calls nothing.
    fn is_leaf(&self, function: FuncId) -> bool {
        let body = self.function(function).body.as_ref();
        let statements = body.iter().flat_map(|body| body.blocks.iter()).flat_map(|block| &block.statements);
        !statements.into_iter().any(|statement| matches!(statement.kind, StatementKind::Call(_)))
    }
}

impl Analyser<'_> {
    /// An entry that holds this one and those of the calls before, if the function has had its share.
    pub(crate) fn joined_context(&mut self, key: Key, entry: &State) -> Option<State> {
        let (spent, calls) = self.memo.summaries.spent.0.get(&key.0).copied().unwrap_or_default();
        let is_cheap = || {
            spent / calls.max(1) <= CHEAP
                && self.transfer.eval.facts.options.share.is_none()
                && self.transfer.eval.facts.is_leaf(key.0)
        };
        let share =
            if self.transfer.eval.budget.is_spent { 0 } else { self.transfer.eval.facts.share(key.0) };
        if spent < share || is_cheap() || self.transfer.eval.facts.may_tick(key.0) {
            return None;
        }
        if spent < share.saturating_mul(CALLED_ONCE)
            && self.transfer.eval.facts.called_once().contains(&key.0)
        {
            return None;
        }
        let thresholds = self.transfer.eval.facts.thresholds(key.0);
        let more = match self.memo.summaries.general.get_mut(&key) {
            None => {
                let first = JoinedContext { entry: entry.clone(), joined: 0, summary: None };
                self.memo.summaries.general.insert(key, first);
                entry.clone()
            }
            Some(general) => {
                let joined = general.entry.join(entry);
                let more = match general.joined < JOINED {
                    true => joined,
                    false => general.entry.widen(&joined, &thresholds),
                };
                general.joined += 1;
                general.entry = more.clone();
                more
            }
        };
        // What other calls rest on is told where their results are taken over.
        Some(State { given: entry.given.clone(), tuples: Tuples::default(), ..more })
    }

    /// Whether the call that ends may have touched an object that looks as it did when the call began.
    pub(crate) fn may_be_touched(&self, id: ObjectId, object: &Obj) -> bool {
        self.transfer.eval.context.written.contains(id)
            || self.transfer.eval.facts.is_summary(id)
            || (object.life.alive && object.life.dead)
    }

    /// What the caller's own objects hold after a call: what points to the last object of an allocation may point to one
    /// that has become an older one in the call. Of objects that the call changes no pack is known.
    pub(crate) fn passed_by(&self, entry: &State, summary: &Summary) -> State {
        let mut after = entry.clone();
        if !summary.aged.is_empty() {
            self.transfer.eval.facts.rename_memory(&mut after, &|object| {
                let has_aged = summary.aged.contains(&object);
                has_aged
                    .then(|| self.transfer.eval.facts.older(object))
                    .flatten()
                    .map(|older| vec![object, older])
            });
        }
        if !after.tuples.cells.is_empty() {
            let changed = summary.changed_objects().flat_map(|id| self.transfer.tuples.of(id));
            changed.for_each(|pack| after.tuples.cells.remove(pack));
        }
        after
    }
}
