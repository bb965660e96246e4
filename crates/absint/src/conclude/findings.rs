// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what was seen on the way to findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_base::index::Idx;
use clew_ir::syntax::{FuncId, ObligationId, Program};

use crate::conclude::pruned_paths::Before;
use crate::domain::Tri;
use crate::engine::finding::{Finding, Outcome, UnreachedCalls};
use crate::engine::options::Options;
use crate::engine::results::{Pruning, Results, Seen, Subject};
use crate::state::given::Given;

/// What is not understood, if that is among it; and the obligations.
pub(crate) type RestsOn = (Option<String>, Arc<[Subject]>);

/// Translates numbers of prunings. Those at obligations that hold after all are left out: the first obligation that a run
/// violates is none of them.
pub(crate) struct Rests {
    prunings: Vec<Option<Pruning>>,
    /// Nearly all findings of a long-running loop rest on the same: they share one list.
    last: (Given, RestsOn),
}

impl Rests {
    pub(crate) fn new(results: &Results) -> Rests {
        let broken = |pruning: &Pruning| match pruning {
            Pruning::Violated(subject) => results.seen.get(subject).is_some_and(|seen| !seen.holds.is_true()),
            Pruning::Unsupported(_) => true,
        };
        let prunings = results
            .prunings
            .iter()
            .map(|pruning| Some(pruning).filter(|pruning| broken(pruning)).cloned())
            .collect();
        Rests { prunings, last: (Given::default(), (None, Arc::from([]))) }
    }

    pub(crate) fn of(&mut self, given: &Given) -> RestsOn {
        if self.last.0 != *given {
            let mut subjects = Vec::new();
            let mut unsupported = None;
            for number in given.iter() {
                match self.prunings.get(number.index()) {
                    Some(Some(Pruning::Violated(subject))) => subjects.push(*subject),
                    Some(Some(Pruning::Unsupported(what))) => {
                        unsupported.get_or_insert_with(|| what.to_string());
                    }
                    Some(None) | None => {}
                }
            }
            self.last = (given.clone(), (unsupported, subjects.into()));
        }
        self.last.1.clone()
    }

    /// All that was not understood.
    pub(crate) fn unsupported(&self) -> BTreeSet<String> {
        let prunings = self.prunings.iter().flatten();
        prunings
            .filter_map(|pruning| match pruning {
                Pruning::Unsupported(what) => Some(what.to_string()),
                Pruning::Violated(_) => None,
            })
            .collect()
    }
}

/// What is known of obligations, and of those of library models at calls where none was seen.
pub(crate) fn findings(
    program: &Program,
    options: &Options<'_>,
    results: &Results,
    before: &Before,
    rests: &mut Rests,
) -> (BTreeMap<Subject, Finding>, UnreachedCalls) {
    let mut findings = BTreeMap::new();
    for (subject, seen) in &results.seen {
        let aside = match subject.call {
            None => before.obligations.get(&(subject.function, subject.obligation)),
            Some(site) => before.calls.get(&site),
        };
        let given = aside.map_or_else(|| seen.given.clone(), |aside| aside.union(&seen.given));
        findings.insert(*subject, seen_finding(seen, rests.of(&given)));
    }
    for ((function, obligation), given) in &before.obligations {
        let subject = Subject { function: *function, obligation: *obligation, call: None };
        if options.models.contains(function) || results.seen.contains_key(&subject) {
            continue;
        }
        let (outcome, given) = unreached(rests.of(given));
        if outcome == Outcome::Unreached && given.is_empty() {
            continue;
        }
        let check = check_of(program, *function, *obligation);
        findings.extend(check.map(|check| (subject, Finding { check, outcome, given })));
    }
    let calls = before.calls.iter().map(|(site, given)| (*site, unreached(rests.of(given))));
    let calls = calls.filter(|(_, (outcome, given))| *outcome != Outcome::Unreached || !given.is_empty());
    (findings, calls.collect())
}

fn check_of(
    program: &Program,
    function: FuncId,
    obligation: ObligationId,
) -> Option<clew_ir::obligation::CheckKind> {
    Some(program.functions[function].body.as_ref()?.obligations[obligation].check)
}

fn seen_finding(seen: &Seen, (unsupported, given): RestsOn) -> Finding {
    let outcome = match (seen.holds, unsupported) {
        (Tri::True, None) => Outcome::Holds,
        (Tri::True, Some(what)) => Outcome::Unsupported(what),
        (Tri::False | Tri::Maybe, _) => Outcome::Open(seen.question.clone()),
    };
    Finding { check: seen.check, outcome, given }
}

fn unreached((unsupported, given): RestsOn) -> (Outcome, Arc<[Subject]>) {
    (unsupported.map_or(Outcome::Unreached, Outcome::Unsupported), given)
}
