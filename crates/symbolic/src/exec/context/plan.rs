// SPDX-License-Identifier: MIT OR Apache-2.0
//! How an execution goes about it: to which depth, by which branches, for which obligations.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::location::Location;
use rustc_hash::FxHashMap;

use super::slice::Slice;
use crate::effort::{MOST_FORKED_SITES, POINTER_CHOICE};
use crate::term::TermId;

/// What is decided before an execution begins.
#[derive(Default)]
pub(crate) struct Plan {
    /// How many iterations of a loop are followed whose end depends on inputs, and how deep functions call themselves.
    pub depth: u32,
    /// What to do at forked branches, if there are any.
    pub fork: Option<Fork>,
    /// Over how many iterations of each loop the execution is an induction, if it is one.
    pub induction: Option<u32>,
    /// What the execution leaves out, if it is one for some obligations only.
    pub slice: Option<Rc<Slice>>,
    /// Whether what was never written is chosen.
    pub chooses: bool,
    /// Whether it counts as written, and stays what it is. Such an execution only proves.
    pub stays: bool,
}

/// What an execution does at forked branches.
pub(crate) struct Fork {
    pub sites: BTreeSet<Location>,
    /// The sides that it takes first.
    pub script: Vec<bool>,
    /// The sides that it took, each with one bit: a run comes here and takes the other one.
    pub taken: Vec<(bool, TermId)>,
}

/// What merging costs, by the branch whose sides meet.
#[derive(Default)]
pub(crate) struct MergeCosts {
    /// The branch of each condition.
    branches: FxHashMap<TermId, Location>,
    costs: BTreeMap<Location, u64>,
}

impl MergeCosts {
    /// A branch has this condition, on either side.
    pub fn branch(&mut self, sides: [TermId; 2], at: Location) {
        self.branches.extend(sides.map(|side| (side, at)));
    }

    /// Two states met that parted at a condition: so many terms and choices were made of it.
    pub fn met(&mut self, parted: Option<TermId>, terms: usize, choices: usize) {
        let cost = terms as u64 + POINTER_CHOICE * choices as u64;
        if let Some(at) = parted.and_then(|condition| self.branches.get(&condition)) {
            *self.costs.entry(*at).or_default() += cost;
        }
    }

    /// The branches that are worth forking: those that cost most, and together nearly everything.
    pub fn sites(&self) -> BTreeSet<Location> {
        let all: u64 = self.costs.values().sum();
        let mut sites: Vec<(u64, Location)> = self.costs.iter().map(|(at, cost)| (*cost, *at)).collect();
        sites.sort_unstable_by(|a, b| b.cmp(a));
        let worth = sites.into_iter().filter(|(cost, _)| cost * 20 > all);
        worth.take(MOST_FORKED_SITES).map(|(_, at)| at).collect()
    }
}
