// SPDX-License-Identifier: MIT OR Apache-2.0
//! Abstract interpretation (papers 004 and 001, section 3): proofs by computing with sets of values instead of values.
//!
//! [`analyse`] runs a program from one entry on everything its inputs may be. What it says of an obligation covers
//! every run; what it cannot say stays open. The rooms: `domain` (what numbers may be), `value`, `contents`, `object`
//! and `state` (what a point of the program knows), `eval` and `refine` (expressions, forwards and backwards), `check`
//! (obligations), `statement`, `memory`, `call` (what changes a state), `relation` and `var` (differences), `sum` (sums of integers), `octagon`,
//! `pack` and `packed` (sums of floats), `cursor`,
//! `ghost` and `handover` (of pointers, of objects, across calls), `flow` and `iterate` (loops), `entry`,
//! `noted` and `slice` (where what stays open comes from).

mod access;
mod affine;
mod analyser;
mod aside;
mod backwards;
mod call;
mod callback;
mod callees;
mod callgraph;
mod check;
pub mod clock;
mod comparison;
mod components;
mod conclude;
mod contents;
mod cursor;
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
mod footprint;
mod general;
mod ghost;
mod handover;
mod inputs;
pub mod invariant;
mod iterate;
mod leak;
pub mod level;
mod linear;
pub mod map;
mod memory;
mod nested;
mod noted;
mod object;
mod octagon;
mod outward;
mod pack;
mod packed;
mod packs;
mod partition;
mod phase;
mod progression;
mod range;
mod refine;
mod relation;
mod results;
mod shown;
mod signals;
mod slice;
mod split;
mod state;
mod statement;
mod sum;
mod summary;
mod symbolic;
mod thresholds;
mod timed;
mod undo;
pub mod useful;
mod value;
mod var;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId, Program};

use analyser::Analyser;
pub use analyser::Options;
use aside::Behind;
use callback::Callbacks;
pub use callgraph::{around, may_reach};
pub use conclude::UnreachedCalls;
use invariant::Invariants;
pub use object::Site;
use results::Results;
pub use results::Subject;
pub use shown::Shown;
pub use slice::{Slice, Step, Stop};
use useful::{Rounds, Useful};

/// What is known of one obligation from one entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The check.
    pub check: CheckKind,
    /// Whether it holds.
    pub outcome: Outcome,
    /// The obligations this rests on: they are open, they may come before, and their violation was set aside.
    pub given: Arc<[Subject]>,
}

/// What is known of an obligation.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It holds in every run.
    Holds,
    /// No run comes to it.
    Unreached,
    /// It may be violated, as far as is known; the values that could not be excluded.
    Open(Option<String>),
    /// It comes after something that the analysis does not understand.
    Unsupported(String),
}

/// What an analysis found out.
#[derive(Default)]
pub struct Analysis {
    /// By obligation; no run from the entry comes to those that are not here, whatever goes wrong before. For those of
    /// library models see `unreached_calls` too.
    pub findings: BTreeMap<Subject, Finding>,
    /// What is known of a library model's obligations at a call that are not in `findings`: outcome and conditions.
    pub unreached_calls: UnreachedCalls,
    /// Functions that were entered.
    pub reached: BTreeSet<FuncId>,
    /// Functions that were called and have no body.
    pub missing: BTreeSet<FuncId>,
    /// Whether a function was called that nobody knows.
    pub calls_unknown: bool,
    /// Why there are no results: a budget ran out.
    pub truncated: bool,
    /// Why there are no results: something else.
    pub failed: Option<String>,
    /// What was met and is not understood: only what cannot come after it is decided.
    pub unsupported: BTreeSet<String>,
    /// Statements that were executed.
    pub steps: u64,
    /// What holds at loop heads, in each round of the analysis.
    pub invariants: Vec<Invariants>,
    /// The same in words, where it was asked for.
    pub shown: Vec<Shown>,
    /// Why open obligations are open, where it was asked for.
    pub slices: BTreeMap<Subject, Slice>,
    /// The least and largest number that each statement gave, where slices and invariants were asked for.
    pub numbers: BTreeMap<Site, (i128, i128)>,
    /// What of all the work was useful.
    pub useful: Useful,
}

/// Analyses all runs from an entry. Deterministic, and independent of other analyses. It follows calls by recursion:
/// give it a large stack.
pub fn analyse(program: &Program, options: &Options<'_>, entry: FuncId) -> Analysis {
    if options.is_over() {
        // Even to begin takes a look at the whole program.
        return Analysis { truncated: true, ..Analysis::default() };
    }
    let wanted = options.plan.map_or(Rounds::ALL, |plan| plan.rounds(entry));
    if !wanted.first {
        return round(program, options, entry, false, None).0;
    }
    let (mut first, could_split) = round(program, options, entry, true, None);
    if first.truncated || first.failed.is_some() {
        return first;
    }
    first.useful.rounds = Rounds { first: true, pieces: false, second: false };
    let most = if wanted.pieces { options.highest().effort.pieces } else { 0 };
    for splitting in split::attempts(first.steps, most).filter(|_| could_split) {
        if split::is_open(&first) {
            let (pieces, _) = round(program, options, entry, true, Some(splitting));
            first.useful.rounds.pieces |= split::take_over(&mut first, pieces);
        }
    }
    let rests_on_something =
        first.findings.values().any(|f| !f.given.is_empty()) || !first.unreached_calls.is_empty();
    if !rests_on_something || !wanted.second {
        return first;
    }
    // Again without setting arithmetic aside: what is proved then rests on less.
    let (second, _) = round(program, options, entry, false, None);
    if second.truncated || second.failed.is_some() {
        return Analysis { useful: Useful { rounds: Rounds::ALL, ..first.useful }, ..first };
    }
    let is_better = strengthen(&mut first, &second);
    first.useful.rounds = match is_better && useful::is_enough(&second, &first) {
        true => Rounds { first: false, pieces: false, second: true },
        false => Rounds { second: is_better, ..first.useful.rounds },
    };
    first.useful.add(second.useful);
    first.invariants.extend(second.invariants);
    first.unsupported.extend(second.unsupported);
    first.reached.extend(second.reached);
    first
}

/// One analysis, perhaps with inputs cut into pieces, and whether there are such inputs.
fn round(
    program: &Program,
    options: &Options<'_>,
    entry: FuncId,
    cut_arithmetic: bool,
    splitting: Option<split::Splitting>,
) -> (Analysis, bool) {
    let mut known = Callbacks::new(program, options);
    loop {
        let (analysis, could_split, found) =
            attempt(program, options, entry, cut_arithmetic, splitting, known.clone());
        // It may have failed for what the next one is told from the start: that a callback leads to itself.
        if found == known || analysis.truncated {
            return (analysis, could_split);
        }
        known = found;
    }
}

/// The same, when code that is not here keeps pointers to some functions; and those that it has been handed.
fn attempt(
    program: &Program,
    options: &Options<'_>,
    entry: FuncId,
    cut_arithmetic: bool,
    splitting: Option<split::Splitting>,
    known: Callbacks,
) -> (Analysis, bool, Callbacks) {
    let mut analyser = Analyser::new(program, options, known);
    analyser.cut_arithmetic = cut_arithmetic;
    analyser.splitting = splitting;
    if splitting.is_some() || !cut_arithmetic {
        // The first round says what is open.
        analyser.noted = None;
    }
    analyser.run_entry(entry);
    analyser.run_handlers();
    analyser.settle_summaries();
    let behind = if analyser.cancelled { Behind::default() } else { analyser.behind() };
    let before = behind.before(program);
    if !analyser.cancelled {
        analyser.judge_leaks(&before);
    }
    let mut results = std::mem::take(&mut analyser.results);
    let unfollowed = results.unfollowed_heads();
    let mut heads = std::mem::take(&mut results.heads);
    let mut rests = conclude::Rests::new(&results);
    heads.retain(|node, _| rests.of(&behind.start(*node)).0.is_none());
    let shown =
        heads.iter().map(|((function, block), state)| shown::head(&analyser, *function, *block, state));
    let shown = shown.collect();
    let (findings, unreached_calls) = conclude::findings(program, options, &results, &before, &mut rests);
    let could_split = analyser.could_split;
    let found = std::mem::take(&mut analyser.callbacks);
    let noted = analyser.noted.as_ref().filter(|_| options.invariants);
    let numbers = noted.map(noted::Noted::numbers).unwrap_or_default();
    let slices = if analyser.cancelled { BTreeMap::new() } else { analyser.slices(&findings) };
    let useful = Useful { functions: std::mem::take(&mut analyser.useful), rounds: Rounds::ALL };
    let analysis = Analysis {
        findings,
        unreached_calls,
        reached: reached(program, &results, &behind, &mut rests),
        missing: results.missing.clone(),
        calls_unknown: results.calls_unknown,
        truncated: analyser.cancelled && analyser.failed.is_none(),
        failed: analyser.failed,
        unsupported: rests.unsupported(),
        steps: analyser.steps,
        invariants: vec![Invariants::new(analyser.objects, heads, unfollowed)],
        shown,
        slices,
        numbers,
        useful,
    };
    (analysis, could_split, found)
}

/// The functions that runs come to: also those that only runs come to which violated something before.
fn reached(
    program: &Program,
    results: &Results,
    behind: &Behind,
    rests: &mut conclude::Rests,
) -> BTreeSet<FuncId> {
    let mut may_start = |function: &FuncId| {
        let (unsupported, given) = rests.of(&behind.start((*function, BlockId(0))));
        unsupported.is_some() || !given.is_empty()
    };
    let behind = program.functions.indices().filter(|function| may_start(function));
    behind.chain(results.reached.iter().copied()).collect()
}

/// The findings of the first round, resting on no more than the second needs; whether that makes a difference.
fn strengthen(first: &mut Analysis, second: &Analysis) -> bool {
    let mut is_better = false;
    first.findings.retain(|subject, finding| {
        let Some(other) = second.findings.get(subject) else {
            // Not even the second round comes there, whatever goes wrong before.
            let is_kept = finding.outcome != Outcome::Unreached;
            is_better |= !is_kept;
            return is_kept;
        };
        let settled = |f: &Finding| matches!(f.outcome, Outcome::Holds | Outcome::Unreached);
        // What only the first round does not reach is unreachable only thanks to what was set aside.
        let reached = finding.outcome == Outcome::Unreached && other.outcome == Outcome::Holds;
        if settled(finding) && settled(other) && (reached || other.given.len() < finding.given.len()) {
            *finding = other.clone();
            is_better = true;
        }
        true
    });
    for (subject, other) in second.findings.iter().filter(|(_, other)| other.outcome == Outcome::Holds) {
        first.findings.entry(*subject).or_insert_with(|| {
            is_better = true;
            other.clone()
        });
    }
    is_better
}
