// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executions of growing depth, then path by path and by induction, until everything is decided or the budget is used up.

use std::collections::BTreeSet;

use clew_ir::location::ObligationRef;
use clew_ir::syntax::{FuncId, ObligationId, Program};

use super::context::plan::Plan;
use super::{forking, slice};
use crate::effort::MOST_INDUCTION;
use crate::exec::context::Exec;
use crate::exec::query;
use crate::exec::query::second_opinion::Means;
use crate::exec::query::{ask, ask_violated};
use crate::exec::record::event::{EventKind, Reason};
use crate::exec::request::{Answer, Costs, Options};
use crate::solver::external::Outside;

/// Executes slices first, then the whole for what they leave.
pub(crate) fn deepen(program: &Program, entry: FuncId, options: &Options<'_>) -> Answer {
    let mut answer = Answer::default();
    let mut means = Means {
        work: options.most_work,
        outside: options.outside.map(Outside::new),
        costs: Costs::default(),
    };
    let mut settled = BTreeSet::new();
    if options.slices {
        settled = slice::settle((program, entry, options), &mut means, &mut answer);
        means.work = options.most_work;
    }
    let open: BTreeSet<_> = options.open.difference(&settled).copied().collect();
    if !open.is_empty() {
        // In no run is one of them the first to be violated, so they end none.
        let proved = options.proved.union(&settled).copied().collect();
        let options = Options { open: &open, proved: &proved, ..options.clone() };
        whole(program, entry, &options, &mut means, &mut answer);
    }
    answer.sliced = settled.len();
    answer.proved.extend(settled);
    answer.proved.sort_unstable();
    answer.costs = means.costs;
    answer.outside = means.outside.map(Outside::into_log).unwrap_or_default();
    if !answer.outside.contradicted.is_empty() || answer.costs.wrong_models > 0 {
        // Our solver is wrong about this program: nothing that rests on it counts.
        answer.proved.clear();
    }
    answer.borrowed.retain(|id| answer.proved.contains(id));
    answer
}

/// Executes the whole program to growing depth, then path by path and by induction.
fn whole(
    program: &Program,
    entry: FuncId,
    options: &Options<'_>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    let mut known: BTreeSet<ObligationRef> = BTreeSet::new();
    let mut depth = 1;
    let is_decided = |known: &BTreeSet<ObligationRef>| {
        options.open.iter().all(|id| known.iter().any(|k| k.at_any_call() == *id))
    };
    let mut sites = BTreeSet::new();
    while depth <= options.most_depth {
        let mut exec = Exec::new(program, options, Plan { depth, ..Plan::default() });
        exec.execute(entry);
        answer.steps += exec.budget.steps;
        let verdicts = ask(&mut exec, &known, means);
        let told = verdicts.violated.iter().chain(&verdicts.refuted);
        known.extend(told.map(|found| found.subject));
        answer.violated.extend(verdicts.violated);
        answer.refuted.extend(verdicts.refuted);
        answer.unanswered += verdicts.unanswered;
        answer.missing = exec.eval.record.missing.iter().copied().collect();
        answer.depth = depth;
        answer.cut = verdicts.cuts.iter().copied().collect();
        if verdicts.cuts.is_empty() {
            let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| k.at_any_call() == *id);
            answer.proved = verdicts.held.into_iter().filter(|id| !is_violated(id)).collect();
            answer.borrowed = verdicts.borrowed;
        }
        // Only violations count of an execution that chooses what was never written.
        let mut is_deep = verdicts.cuts.contains(&Reason::Depth);
        if verdicts.cuts.contains(&Reason::Unwritten) && verdicts.unanswered == 0 && !is_decided(&known) {
            let plan = Plan { depth, chooses: true, ..Plan::default() };
            let mut exec = Exec::new(program, options, plan);
            exec.execute(entry);
            exec.eval.list_unwritten();
            answer.steps += exec.budget.steps;
            is_deep |= exec
                .eval
                .record
                .events
                .iter()
                .any(|event| matches!(event.kind, EventKind::Cut(Reason::Depth)));
            let violated = ask_violated(&mut exec, &known, means);
            known.extend(violated.iter().map(|found| found.subject));
            answer.violated.extend(violated);
        }
        if options.unwritten_stays && verdicts.cuts.contains(&Reason::Unwritten) {
            let plan = Plan { depth, stays: true, ..Plan::default() };
            let mut exec = Exec::new(program, options, plan);
            exec.execute(entry);
            answer.steps += exec.budget.steps;
            let stayed = query::prove(&mut exec, &known, means);
            is_deep |= stayed.cuts.contains(&Reason::Depth);
            add_proofs(answer, &stayed, &known);
        }
        // What is too hard at one depth is harder at the next, all paths at once.
        if verdicts.unanswered > 0 || verdicts.cuts.contains(&Reason::Budget) {
            sites = exec.merge_costs.sites();
        }
        let is_done = is_decided(&known) || verdicts.unanswered > 0;
        if is_done || !is_deep || verdicts.cuts.contains(&Reason::Budget) {
            break;
        }
        depth *= 2;
    }
    if options.forks && !sites.is_empty() && !is_decided(&known) {
        // Large circuits that are too hard for all paths together are so for one, too.
        means.work = options.most_work / 16;
        forking::fork((program, entry, options), sites, &mut known, means, answer);
    }
    if answer.cut.contains(&Reason::Depth) && options.heads.is_some() {
        means.work = options.most_work;
        induct(program, entry, options, &known, means, answer);
    }
}

/// Proves by induction over the iterations of loops what no depth decides.
fn induct(
    program: &Program,
    entry: FuncId,
    options: &Options<'_>,
    known: &BTreeSet<ObligationRef>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    for k in 1..=MOST_INDUCTION {
        let plan = Plan { depth: 1, induction: Some(k), stays: options.unwritten_stays, ..Plan::default() };
        let mut exec = Exec::new(program, options, plan);
        exec.execute(entry);
        answer.steps += exec.budget.steps;
        let verdicts = query::prove(&mut exec, known, means);
        add_proofs(answer, &verdicts, known);
        let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| k.at_any_call() == *id);
        let decided = |id: &(FuncId, ObligationId)| answer.proved.contains(id) || is_violated(id);
        if options.open.iter().all(decided)
            || verdicts.unanswered > 0
            // A run that is cut in these iterations is as a rule cut in more of them too.
            || !verdicts.cuts.is_empty()
        {
            break;
        }
    }
}

/// What an execution proves beside others.
fn add_proofs(answer: &mut Answer, verdicts: &query::Verdicts, known: &BTreeSet<ObligationRef>) {
    let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| k.at_any_call() == *id);
    for id in verdicts.held.iter().filter(|id| !is_violated(id)) {
        // What one execution proves by itself needs nobody else's word.
        if !verdicts.borrowed.contains(id) {
            answer.borrowed.remove(id);
        } else if !answer.proved.contains(id) {
            answer.borrowed.insert(*id);
        }
        answer.proved.push(*id);
    }
    answer.proved.sort_unstable();
    answer.proved.dedup();
}
