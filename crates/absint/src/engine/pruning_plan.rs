// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an analysis had of its dear parts, and which of them a later one may go without (paper 004, 7.2.2).
//!
//! Most octagons never tell anybody anything: the paper keeps a list of those that did, and later runs of the same
//! program have only these. Here, too; and functions without anything like a filter are not searched for them again, and where one
//! round of an analysis alone says all that the others say, it is enough to make that one.
//!
//! An analysis notes what was useful ([`Useful`]); a [`Plan`] says what to go without. As with levels (`level`), what is left
//! out never says anything, so that a plan that does not fit the program costs proofs and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::FuncId;

use crate::domain::range::Range;
use crate::domain::tuple::{Tuple, TupleFact};
use crate::effort::pruning_plan::LEAST;
use crate::engine::facts::Facts;
use crate::engine::recorder::Recorder;
use crate::program::octagon_packing::PackId;

/// The rounds of the analysis of one entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The one that ends runs where arithmetic goes wrong.
    pub first: bool,
    /// Those with inputs split into cases.
    pub cases: bool,
    /// The one that goes on after arithmetic that went wrong.
    pub second: bool,
}

impl Rounds {
    /// All of them, as far as there is need.
    pub const ALL: Rounds = Rounds { first: true, cases: true, second: true };
}

/// The parts of the analysis of one function that are useful, of those that are told apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The numbers of the packs whose octagons told something.
    pub octagons: BTreeSet<u32>,
    /// Whether a lag or a filter was met, or what they begin with.
    pub filters: bool,
}

impl Parts {
    fn add(&mut self, other: Parts) {
        self.octagons.extend(other.octagons);
        self.filters |= other.filters;
    }
}

/// What was useful in one analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Useful {
    /// By function that was entered.
    pub functions: BTreeMap<FuncId, Parts>,
    /// The rounds that were needed to say what was said.
    pub rounds: Rounds,
}

impl Default for Useful {
    fn default() -> Useful {
        Useful { functions: BTreeMap::new(), rounds: Rounds::ALL }
    }
}

impl Useful {
    /// What was useful there was useful.
    pub fn add(&mut self, other: Useful) {
        for (function, parts) in other.functions {
            self.functions.entry(function).or_default().add(parts);
        }
    }
}

/// What to go without.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plan {
    /// What functions have; those that are not here have everything.
    pub functions: BTreeMap<FuncId, Parts>,
    /// The rounds for an entry; entries that are not here have all that there is need for.
    pub rounds: BTreeMap<FuncId, Rounds>,
}

impl Plan {
    /// The rounds for an entry.
    pub(crate) fn rounds(&self, entry: FuncId) -> Rounds {
        self.rounds.get(&entry).copied().unwrap_or(Rounds::ALL)
    }
}

impl<'p> Facts<'p> {
    /// What a plan leaves of a function, if it speaks of it.
    pub(crate) fn planned(&self, function: FuncId) -> Option<&'p Parts> {
        self.options.plan?.functions.get(&function)
    }
}

impl Recorder {
    /// Notes that a pack made something smaller, if it did.
    pub(crate) fn note_octagon(&mut self, function: FuncId, pack: PackId, before: Range, after: Range) {
        let (old, new) = (before.hi - before.lo, after.hi - after.lo);
        // Of infinite ranges only this is certain: one that has become finite has become smaller.
        if new < old * (1.0 - LEAST) {
            self.note_useful_octagon(function, pack);
        }
    }

    /// Notes that a pack told something.
    pub(crate) fn note_useful_octagon(&mut self, function: FuncId, pack: PackId) {
        self.useful.entry(function).or_default().octagons.insert(pack.0);
    }

    /// Notes what an assignment was found to begin or to go on with.
    pub(crate) fn note_packs(&mut self, function: FuncId, found: &[Tuple]) {
        // That a place in memory is what a register is, is said of every store.
        let is_told = |pack: &Tuple| pack.fact != TupleFact::Equal || pack.in_memory();
        if found.iter().any(is_told) {
            self.useful.entry(function).or_default().filters = true;
        }
    }
}
