// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an analysis found out, obligation by obligation.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId};

use crate::domain::Tri;
use crate::state::given::Given;
use crate::state::{PruningId, State};

pub use clew_ir::location::ObligationRef as Subject;

/// Why a state ended, or went on with less.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pruning {
    /// The runs that violate an obligation were pruned.
    Violated(Subject),
    /// Something that the analysis does not understand.
    Unsupported(std::sync::Arc<str>),
}

/// What was seen of a subject over all paths that lead to it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The check.
    pub check: CheckKind,
    /// Whether it holds: on all paths, on none, or that is not known.
    pub holds: Tri,
    /// What could not be excluded, where it was met first.
    pub question: Option<String>,
    /// Numbers of the obligations that this rests on.
    pub given: Given,
}

/// The results.
#[derive(Default)]
pub struct Results {
    /// By subject; what is not here was not reached.
    pub seen: BTreeMap<Subject, Seen>,
    /// What was pruned, by number.
    pub prunings: Vec<Pruning>,
    numbers: BTreeMap<Pruning, PruningId>,
    /// What holds at loop heads, over all paths that lead to them.
    pub heads: BTreeMap<(FuncId, BlockId), State>,
    /// How often each was come to.
    visits: BTreeMap<(FuncId, BlockId), u32>,
    /// Functions that were entered.
    pub reached: std::collections::BTreeSet<FuncId>,
    /// Functions that were called and have no body.
    /// Whether a function was called that nobody knows.
    pub calls_unknown: bool,
    pub missing: std::collections::BTreeSet<FuncId>,
}

impl Results {
    /// The number of a pruning.
    pub fn number(&mut self, pruning: Pruning) -> PruningId {
        let next = PruningId(self.prunings.len() as u32);
        let number = *self.numbers.entry(pruning.clone()).or_insert(next);
        if number == next {
            self.prunings.push(pruning);
        }
        number
    }

    /// Notes what was seen at a subject on one path.
    pub fn see(
        &mut self,
        subject: Subject,
        check: CheckKind,
        holds: Tri,
        given: &Given,
        question: impl FnOnce() -> Option<String>,
    ) {
        match self.seen.entry(subject) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                let question = if holds.is_true() { None } else { question() };
                slot.insert(Seen { check, holds, question, given: given.clone() });
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => {
                let seen = slot.get_mut();
                seen.holds = seen.holds.join(holds);
                // What is new comes first: the result then shares its parts with the states that follow, and the
                // next merge costs the difference.
                seen.given = given.union(&seen.given);
                if seen.question.is_none() && !holds.is_true() {
                    seen.question = question();
                }
            }
        }
    }

    /// What was seen of a subject rests on this too.
    pub fn rest_on(&mut self, subject: &Subject, given: &Given) {
        if let Some(seen) = self.seen.get_mut(subject) {
            seen.given = given.union(&seen.given);
        }
    }

    /// Whether what holds at a loop head is still noted: not of one that was come to very often, iteration by iteration over a large
    /// array, where every iteration would compare all of it, unless all are asked for.
    pub fn follows_head(&mut self, place: (FuncId, BlockId), all: bool) -> bool {
        const MOST: u32 = 500;
        if all {
            return true;
        }
        let visits = self.visits.entry(place).or_default();
        *visits = visits.saturating_add(1).min(MOST + 1);
        if *visits > MOST {
            self.heads.remove(&place);
        }
        *visits <= MOST
    }

    /// The loop heads of which nothing is said.
    pub fn unfollowed_heads(&self) -> BTreeSet<(FuncId, BlockId)> {
        let is_lost = |place: &(FuncId, BlockId)| !self.heads.contains_key(place);
        self.visits.keys().copied().filter(is_lost).collect()
    }

    /// Notes what holds at a loop head.
    pub fn head(&mut self, function: FuncId, block: BlockId, state: &State) {
        match self.heads.entry((function, block)) {
            std::collections::btree_map::Entry::Vacant(slot) => drop(slot.insert(state.clone())),
            std::collections::btree_map::Entry::Occupied(mut slot) => {
                let joined = slot.get().join(state);
                slot.insert(joined);
            }
        }
    }
}
