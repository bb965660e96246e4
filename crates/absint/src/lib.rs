// SPDX-License-Identifier: MIT OR Apache-2.0
//! Abstract interpretation (papers 004 and 001, section 3): proofs by computing with sets of values instead of values.
//!
//! [`analyse`] runs a program from one entry on everything its inputs may be. What it says of an obligation covers
//! every run; what it cannot say stays open. The rooms: `domain` (what numbers may be), `value`, `contents`, `object`
//! and `state` (what a point of the program knows), `eval` and `refine` (expressions, forwards and backwards), `check`
//! (obligations), `statement`, `memory`, `call` (what changes a state), `flow` and `iterate` (loops), `entry`.

mod analyser;
mod backwards;
mod call;
mod callgraph;
mod check;
mod contents;
pub mod domain;
mod effects;
mod encoding;
mod entry;
mod eval;
mod explain;
mod extent;
mod fact;
mod filling;
mod flow;
pub mod invariant;
mod iterate;
mod leak;
mod linear;
pub mod map;
mod memory;
mod object;
mod refine;
mod relation;
mod results;
mod shown;
mod state;
mod statement;
mod symbolic;
mod thresholds;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, Program};

use analyser::Analyser;
pub use analyser::Options;
use domain::Tri;
use invariant::Invariants;
pub use object::Site;
use results::Seen;
pub use results::Subject;
pub use shown::Shown;

/// What is known of one obligation from one entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The check.
    pub check: CheckKind,
    /// Whether it holds.
    pub outcome: Outcome,
    /// The obligations this rests on: they are open, and their violation was set aside.
    pub given: Arc<[Subject]>,
}

/// What is known of an obligation.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It holds in every run.
    Holds,
    /// It may be violated, as far as is known; the values that could not be excluded.
    Open(Option<String>),
}

/// What an analysis found out.
#[derive(Default)]
pub struct Analysis {
    /// By obligation; no run from the entry comes to those that are not here.
    pub findings: BTreeMap<Subject, Finding>,
    /// What the word "no run comes there" rests on.
    pub unreachable_given: Vec<Subject>,
    /// Functions that were entered.
    pub reached: BTreeSet<FuncId>,
    /// Functions that were called and have no body.
    pub missing: BTreeSet<FuncId>,
    /// Why there are no results: a budget ran out.
    pub truncated: bool,
    /// Why there are no results: something the analysis does not understand.
    pub unsupported: Option<String>,
    /// Statements that were executed.
    pub steps: u64,
    /// What holds at loop heads, in each round of the analysis.
    pub invariants: Vec<Invariants>,
    /// The same in words, where it was asked for.
    pub shown: Vec<Shown>,
}

/// Analyses all runs from an entry. Deterministic, and independent of other analyses. It follows calls by recursion:
/// give it a large stack.
pub fn analyse(program: &Program, options: &Options<'_>, entry: FuncId) -> Analysis {
    let first = round(program, options, entry, true);
    if first.truncated || first.unsupported.is_some() {
        return first;
    }
    let rests_on_something =
        first.findings.values().any(|f| !f.given.is_empty()) || !first.unreachable_given.is_empty();
    if !rests_on_something {
        return first;
    }
    // Again without setting arithmetic aside: what is proved then rests on less.
    let second = round(program, options, entry, false);
    if second.truncated || second.unsupported.is_some() {
        return first;
    }
    strengthen(first, second)
}

fn round(program: &Program, options: &Options<'_>, entry: FuncId, cut_arithmetic: bool) -> Analysis {
    let mut analyser = Analyser::new(program, options);
    analyser.cut_arithmetic = cut_arithmetic;
    analyser.run_entry(entry);
    if !analyser.cancelled {
        analyser.judge_leaks();
    }
    let mut results = std::mem::take(&mut analyser.results);
    let heads = std::mem::take(&mut results.heads);
    let shown =
        heads.iter().map(|((function, block), state)| shown::head(&analyser, *function, *block, state));
    let shown = shown.collect();
    let subjects = |given: &map::Map<()>| -> Arc<[Subject]> {
        given.iter().filter_map(|(number, ())| results.cuts.get(number as usize).copied()).collect()
    };
    // Nearly all findings of a long-running loop rest on the same: they share one list.
    let mut last = (map::Map::default(), subjects(&map::Map::default()));
    let mut finding = |seen: &Seen| Finding {
        check: seen.check,
        outcome: match seen.holds {
            Tri::True => Outcome::Holds,
            Tri::False | Tri::Maybe => Outcome::Open(seen.question.clone()),
        },
        given: {
            if last.0 != seen.given {
                last = (seen.given.clone(), subjects(&seen.given));
            }
            last.1.clone()
        },
    };
    Analysis {
        findings: results.seen.iter().map(|(subject, seen)| (*subject, finding(seen))).collect(),
        unreachable_given: subjects(&results.dead_ends).to_vec(),
        reached: results.reached.clone(),
        missing: results.missing.clone(),
        truncated: analyser.cancelled && analyser.unsupported.is_none(),
        unsupported: analyser.unsupported,
        steps: analyser.steps,
        invariants: vec![Invariants::new(analyser.objects, heads)],
        shown,
    }
}

/// The findings of the first round, resting on no more than the second needs.
fn strengthen(mut first: Analysis, second: Analysis) -> Analysis {
    first.invariants.extend(second.invariants);
    for (subject, finding) in &mut first.findings {
        match second.findings.get(subject) {
            Some(other)
                if finding.outcome == Outcome::Holds
                    && other.outcome == Outcome::Holds
                    && other.given.len() < finding.given.len() =>
            {
                finding.given = other.given.clone();
            }
            _ => {}
        }
    }
    // What the first round did not reach and the second did is unreachable only thanks to what was set aside.
    for (subject, other) in second.findings {
        if !first.findings.contains_key(&subject) && other.outcome == Outcome::Holds {
            first.findings.insert(subject, other);
        }
    }
    first
}
