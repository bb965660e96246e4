// SPDX-License-Identifier: MIT OR Apache-2.0
//! After a violation whose machine behaviour is known the analysis goes on with it.
//!
//! Proofs leave out the runs that violate something. Where it *is* violated, and the machine has a value there (a shift,
//! a sum that wraps, a conversion), what was proved of the code behind it is not what a person wants to know. So those
//! verdicts are made again with runs that go on after such checks, and what was known without them is kept.

use std::collections::{HashMap, HashSet};

use clew_checks::{CheckSet, Stops, leaves_a_value};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::Verdict;

use crate::knowledge::{Knowledge, Title};

/// What lies behind violations after which the machine goes on.
pub struct Behind {
    /// Which checks end runs of the second analysis.
    pub stops: Stops,
    /// The obligations whose verdicts rest on the violations.
    rows: HashSet<StableId>,
}

/// What lies behind such violations; none if there is nothing.
pub fn behind(known: &mut Knowledge, stops: Stops) -> Option<Behind> {
    let is_passed = |check: CheckKind| leaves_a_value(check) && !stops.goes_on_after.contains(check);
    behind_violated(known, stops, is_passed)
}

/// What lies behind divisions by zero. Here the machine stops; others go on with 0, and a person who mends the division
/// wants to know what comes next. No proof is made of such runs: they are only looked for.
pub fn behind_divisions(known: &mut Knowledge, stops: Stops) -> Option<Behind> {
    behind_violated(known, stops, |check| check == CheckKind::DivisionByZero)
}

/// What lies behind violations of some checks.
fn behind_violated(known: &mut Knowledge, stops: Stops, of: impl Fn(CheckKind) -> bool) -> Option<Behind> {
    let violated = known.verdicts().filter(|(title, verdict)| is_violated(verdict) && of(title.check));
    let passed: Vec<(StableId, CheckKind)> =
        violated.map(|(title, _)| (title.id.clone(), title.check)).collect();
    // To look at what all proofs rest on takes long.
    if passed.is_empty() {
        return None;
    }
    known.ledger.settle();
    let goes_on_after: CheckSet =
        passed.iter().map(|(_, check)| *check).chain(stops.goes_on_after.iter()).collect();
    let found = all_resting(known, passed.into_iter().map(|(id, _)| id).collect());
    (!found.is_empty()).then_some(Behind { stops: Stops { goes_on_after }, rows: found })
}

fn is_violated(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Violated { .. })
}

/// What rests on these, and what rests on that.
fn all_resting(known: &Knowledge, mut left: Vec<StableId>) -> HashSet<StableId> {
    let mut resting = resting(known);
    let mut found = HashSet::new();
    while let Some(next) = left.pop() {
        for id in resting.remove(&next).unwrap_or_default() {
            if found.insert(id.clone()) {
                left.push(id);
            }
        }
    }
    found
}

/// By obligation, those whose proofs rest on it.
fn resting(known: &Knowledge) -> HashMap<StableId, Vec<StableId>> {
    let mut resting: HashMap<StableId, Vec<StableId>> = HashMap::new();
    for (title, verdict) in known.verdicts() {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = verdict {
            for id in proof.given.iter() {
                resting.entry(id.clone()).or_default().push(title.id.clone());
            }
        }
    }
    resting
}

impl Behind {
    /// Before the second search: what does not lie behind is as it was.
    pub fn open(&self, before: &Knowledge, again: &mut Knowledge) {
        let titles: HashMap<&StableId, &Title> =
            before.titles.iter().map(|title| (&title.id, title)).collect();
        for title in again.titles.iter_mut().filter(|title| !self.rows.contains(&title.id)) {
            if let Some(old) = titles.get(&title.id) {
                *title = (*old).clone();
                again.ledger.take(&before.ledger, &title.id);
            }
        }
    }

    /// What is known, with what lies behind open.
    pub fn reopened(&self, known: &Knowledge) -> Knowledge {
        let mut known = known.clone();
        self.rows.iter().for_each(|id| known.ledger.reopen(id));
        known
    }

    /// After a search alone: what was found.
    pub fn take_violated(&self, known: &mut Knowledge, again: &Knowledge) {
        for id in self.rows.iter().filter(|id| is_violated(again.ledger.verdict(id))) {
            known.ledger.take(&again.ledger, id);
        }
    }

    /// After it: what was found and proved. A proof that leaves such runs out still says more than an open question;
    /// that nothing comes there does not.
    pub fn take_over(&self, known: &mut Knowledge, again: Knowledge) {
        let mut index: HashMap<StableId, usize> =
            known.titles.iter().enumerate().map(|(at, title)| (title.id.clone(), at)).collect();
        for title in again.titles {
            let id = title.id.clone();
            let verdicts = (known.ledger.verdict(&id), again.ledger.verdict(&id));
            let keeps = matches!(verdicts, (Verdict::Proved(_), Verdict::Open(_)));
            match index.get(&id) {
                Some(_) if keeps => continue,
                Some(&at) => known.titles[at] = title,
                None => {
                    index.insert(id.clone(), known.titles.len());
                    known.titles.push(title);
                }
            }
            known.ledger.take(&again.ledger, &id);
        }
    }
}
