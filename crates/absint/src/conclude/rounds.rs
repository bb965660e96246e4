// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analysis of one entry: its rounds, and what they say together.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::{BlockId, FuncId, Program};

use crate::conclude::enough::is_enough;
use crate::conclude::findings::{Rests, findings};
use crate::conclude::pruned_paths::Behind;
use crate::effort::rounds::{CASES, MOST_TIMES};
use crate::engine::analyser::Analyser;
use crate::engine::finding::{Finding, Outcome, UnreachedCalls};
use crate::engine::loops::Splitting;
use crate::engine::options::Options;
use crate::engine::pruning_plan::{Rounds, Useful};
use crate::engine::results::{Results, Subject};
use crate::engine::value_log::ValueLog;
use crate::explain::invariant::Invariants;
use crate::explain::render_invariants;
use crate::explain::render_invariants::Shown;
use crate::explain::slice::Slice;
use crate::program::callbacks::Callbacks;
use crate::program::object::Site;

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
    /// Whether the effort ended before the analysis did: the rest had the least.
    pub is_spent: bool,
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
    for splitting in attempts(first.steps, most).filter(|_| could_split) {
        if is_open(&first) {
            let (pieces, _) = round(program, options, entry, true, Some(splitting));
            first.useful.rounds.pieces |= take_over(&mut first, pieces);
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
    first.useful.rounds = match is_better && is_enough(&second, &first) {
        true => Rounds { first: false, pieces: false, second: true },
        false => Rounds { second: is_better, ..first.useful.rounds },
    };
    first.useful.add(second.useful);
    first.invariants.extend(second.invariants);
    first.unsupported.extend(second.unsupported);
    first.reached.extend(second.reached);
    first.steps += second.steps;
    first.is_spent |= second.is_spent;
    first
}

/// One analysis, perhaps with inputs split into cases, and whether there are such inputs.
fn round(
    program: &Program,
    options: &Options<'_>,
    entry: FuncId,
    prune_arithmetic: bool,
    splitting: Option<Splitting>,
) -> (Analysis, bool) {
    let mut known = Callbacks::new(program, !options.missing_functions_leave_globals, &options.models);
    loop {
        let (analysis, could_split, found) =
            attempt(program, options, entry, prune_arithmetic, splitting, known.clone());
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
    prune_arithmetic: bool,
    splitting: Option<Splitting>,
    known: Callbacks,
) -> (Analysis, bool, Callbacks) {
    let mut analyser = Analyser::new(program, options, known);
    analyser.transfer.eval.context.prune_arithmetic = prune_arithmetic;
    analyser.transfer.eval.budget.splitting = splitting;
    if splitting.is_some() || !prune_arithmetic {
        // The first round says what is open.
        analyser.transfer.eval.recorder.value_log = None;
    }
    analyser.run_entry(entry);
    analyser.run_handlers();
    analyser.settle_summaries();
    let behind = if analyser.transfer.eval.budget.cancelled { Behind::default() } else { analyser.behind() };
    let before = behind.before(program);
    if !analyser.transfer.eval.budget.cancelled {
        analyser.judge_leaks(&before);
    }
    let mut results = std::mem::take(&mut analyser.transfer.eval.recorder.results);
    let unfollowed = results.unfollowed_heads();
    let mut heads = std::mem::take(&mut results.heads);
    let mut rests = Rests::new(&results);
    heads.retain(|node, _| rests.of(&behind.start(*node)).0.is_none());
    let shown = heads.iter().map(|((function, block), state)| {
        render_invariants::head(&analyser.transfer.eval, *function, *block, state)
    });
    let shown = shown.collect();
    let (findings, unreached_calls) = findings(program, options, &results, &before, &mut rests);
    let could_split = analyser.transfer.eval.recorder.could_split;
    let found = std::mem::take(&mut analyser.transfer.eval.recorder.callbacks);
    let noted = analyser.transfer.eval.recorder.value_log.as_ref().filter(|_| options.invariants);
    let numbers = noted.map(ValueLog::numbers).unwrap_or_default();
    let slices = if analyser.transfer.eval.budget.cancelled {
        BTreeMap::new()
    } else {
        analyser.transfer.eval.slices(&findings)
    };
    let useful = Useful {
        functions: std::mem::take(&mut analyser.transfer.eval.recorder.useful),
        rounds: Rounds::ALL,
    };
    let analysis = Analysis {
        findings,
        unreached_calls,
        reached: reached(program, &results, &behind, &mut rests),
        missing: results.missing.clone(),
        calls_unknown: results.calls_unknown,
        truncated: analyser.transfer.eval.budget.cancelled
            && analyser.transfer.eval.recorder.failed.is_none(),
        failed: analyser.transfer.eval.recorder.failed,
        unsupported: rests.unsupported(),
        steps: analyser.transfer.eval.budget.steps,
        is_spent: analyser.transfer.eval.budget.is_spent,
        invariants: vec![Invariants::new(analyser.transfer.eval.facts.objects, heads, unfollowed)],
        shown,
        slices,
        numbers,
        useful,
    };
    (analysis, could_split, found)
}

/// The functions that runs come to: also those that only runs come to which violated something before.
fn reached(program: &Program, results: &Results, behind: &Behind, rests: &mut Rests) -> BTreeSet<FuncId> {
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
        // What only the first round does not reach is unreachable only thanks to what was pruned.
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

/// The repetitions of an analysis that are worth while as long as something is open, each of so many statements at most.
fn attempts(steps: u64, most: u64) -> impl Iterator<Item = Splitting> {
    let attempt = move |pieces: u32| {
        let steps = steps * MOST_TIMES * u64::from(pieces);
        (steps <= most).then_some(Splitting { pieces, steps })
    };
    CASES.into_iter().filter_map(attempt)
}

/// Whether something is open.
pub(crate) fn is_open(analysis: &Analysis) -> bool {
    analysis.findings.values().any(|finding| matches!(finding.outcome, Outcome::Open(_)))
}

/// What the repetition settled is settled; whether that is anything.
pub(crate) fn take_over(first: &mut Analysis, mut split: Analysis) -> bool {
    first.steps += split.steps;
    if split.truncated || split.failed.is_some() {
        return false;
    }
    let mut is_better = false;
    first.findings.retain(|subject, finding| {
        if !matches!(finding.outcome, Outcome::Open(_)) {
            return true;
        }
        match split.findings.remove(subject) {
            Some(other) => {
                if matches!(other.outcome, Outcome::Holds | Outcome::Unreached) {
                    *finding = other;
                    is_better = true;
                }
                true
            }
            // No run comes there, whatever goes wrong before. Those of models are told by their calls.
            None => {
                is_better |= subject.call.is_none();
                subject.call.is_some()
            }
        }
    });
    first.unsupported.extend(split.unsupported);
    first.invariants.append(&mut split.invariants);
    first.useful.add(split.useful);
    is_better
}
