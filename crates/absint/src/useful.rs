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

use crate::analyser::Analyser;
use crate::packs::{Fact, Pack};
use crate::range::Range;
use crate::{Analysis, Finding, Outcome};

/// Something is useful that makes a range smaller by at least this part of its width: rounding makes small
/// differences that mean nothing.
const LEAST: f64 = 0.01;

/// The rounds of the analysis of one entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The one that ends runs where arithmetic goes wrong.
    pub first: bool,
    /// Those with inputs in pieces.
    pub pieces: bool,
    /// The one that goes on after arithmetic that went wrong.
    pub second: bool,
}

impl Rounds {
    /// All of them, as far as there is need.
    pub const ALL: Rounds = Rounds { first: true, pieces: true, second: true };
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

impl<'p> Analyser<'p> {
    /// Notes that a pack made something smaller, if it did.
    pub(crate) fn note_octagon(&mut self, function: FuncId, pack: u32, before: Range, after: Range) {
        let (old, new) = (before.hi - before.lo, after.hi - after.lo);
        // Of infinite ranges only this is certain: one that has become finite has become smaller.
        if new < old * (1.0 - LEAST) {
            self.tell_octagon(function, pack);
        }
    }

    /// Notes that a pack told something.
    pub(crate) fn tell_octagon(&mut self, function: FuncId, pack: u32) {
        self.useful.entry(function).or_default().octagons.insert(pack);
    }

    /// Notes what an assignment was found to begin or to go on with.
    pub(crate) fn note_packs(&mut self, function: FuncId, found: &[Pack]) {
        // That a place in memory is what a register is, is said of every store.
        let is_told = |pack: &Pack| pack.fact != Fact::Equal || pack.in_memory();
        if found.iter().any(is_told) {
            self.useful.entry(function).or_default().filters = true;
        }
    }

    /// What a plan leaves of a function, if it speaks of it.
    pub(crate) fn planned(&self, function: FuncId) -> Option<&'p Parts> {
        self.options.plan?.functions.get(&function)
    }
}

/// Whether this is as good as what was known before: settled if that was, and resting on no more.
fn is_as_good(now: (&Outcome, usize), before: Option<(&Outcome, usize)>) -> bool {
    let settled = |outcome: &Outcome| matches!(outcome, Outcome::Holds | Outcome::Unreached);
    match before {
        Some((outcome, given)) => !settled(outcome) || (settled(now.0) && now.1 <= given),
        // No run comes there.
        None => settled(now.0) && now.1 == 0,
    }
}

/// Whether one round alone says as much as was said in the end.
pub(crate) fn is_enough(round: &Analysis, end: &Analysis) -> bool {
    let of = |finding: &Finding| (finding.outcome.clone(), finding.given.len());
    let findings = round.findings.iter().all(|(subject, now)| {
        let before = end.findings.get(subject).map(of);
        is_as_good((&now.outcome, now.given.len()), before.as_ref().map(|(outcome, given)| (outcome, *given)))
    });
    let calls = round.unreached_calls.iter().all(|(site, (outcome, given))| {
        let before = end.unreached_calls.get(site).map(|(outcome, given)| (outcome, given.len()));
        is_as_good((outcome, given.len()), before)
    });
    findings && calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_good_is_settled_and_resting_on_no_more() {
        let (holds, open) = (Outcome::Holds, Outcome::Open(None));
        assert!(is_as_good((&holds, 1), Some((&holds, 1))));
        assert!(is_as_good((&Outcome::Unreached, 0), Some((&holds, 1))));
        assert!(!is_as_good((&holds, 2), Some((&holds, 1))));
        assert!(!is_as_good((&open, 0), Some((&holds, 1))));
        assert!(is_as_good((&open, 0), Some((&open, 0))));
        assert!(is_as_good((&holds, 0), None) && !is_as_good((&holds, 1), None));
        assert!(!is_as_good((&Outcome::Unsupported(String::new()), 0), None));
    }
}
