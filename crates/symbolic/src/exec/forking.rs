// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forking where merging hurts: symbolic execution of some branches on top of the merged execution.
//!
//! Merging keeps an execution small as long as the states that meet are much alike. Where they are not (lists that
//! differ in their shape), every pointer becomes a choice between all that it was, and the solver drowns. A merged
//! execution therefore notes what each branch costs where its two sides meet again (`Hurt`); when it proves too hard,
//! the branches that cost most are forked: an execution takes one side of them each time it comes by, as its *script*
//! says, and the other side is the script of another execution. All branches else are merged as ever, so a run that
//! does not come by a forked branch is in both executions, and every run is in at least one. An execution is cheap
//! beside its queries, so it begins anew for each script.

use std::collections::{BTreeSet, VecDeque};

use clew_ir::location::{Location, ObligationRef};
use clew_ir::syntax::{FuncId, ObligationId, Program};

use crate::effort::{MOST_FORKED_EXECUTIONS, MOST_FORKED_HARD, MOST_FORKED_STEPS};
use crate::exec::context::Exec;
use crate::exec::context::plan::{Fork, Plan};
use crate::exec::query::ask_forked;
use crate::exec::query::second_opinion::Means;
use crate::exec::record::event::Reason;
use crate::exec::request::{Answer, Options};
use crate::term::TermId;

/// What all executions share.
struct Forking<'a, 'o> {
    program: &'a Program,
    entry: FuncId,
    options: &'a Options<'a>,
    sites: BTreeSet<Location>,
    known: &'a mut BTreeSet<ObligationRef>,
    means: &'a mut Means<'o>,
    answer: &'a mut Answer,
    executions: u32,
    /// Queries that were too hard.
    hard: u64,
    steps: u64,
}

/// Why there are no more executions of one depth.
#[derive(Default)]
enum End {
    /// All there is to spend is spent, or all is known.
    #[default]
    Spent,
    /// An execution was too hard that could be forked more.
    Hurt,
    /// All scripts were followed.
    Whole,
}

/// What the executions of one depth say together.
#[derive(Default)]
struct Together {
    end: End,
    cuts: BTreeSet<Reason>,
    /// What merging cost most in those that were too hard all the same.
    hurt: BTreeSet<Location>,
    /// What holds in all of them.
    held: Option<BTreeSet<(FuncId, ObligationId)>>,
    borrowed: BTreeSet<(FuncId, ObligationId)>,
}

/// Executes script by script, from a depth on. Violations are added to the answer, and proofs if every run was followed.
pub(crate) fn fork(
    (program, entry, options): (&Program, FuncId, &Options<'_>),
    sites: BTreeSet<Location>,
    known: &mut BTreeSet<ObligationRef>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    let mut depth = answer.depth;
    let mut forking =
        Forking { program, entry, options, sites, known, means, answer, executions: 0, hard: 0, steps: 0 };
    while depth <= options.most_depth {
        let together = forking.scripts(depth);
        match together.end {
            End::Spent => break,
            // The same again, with more of it forked.
            End::Hurt => forking.sites.extend(together.hurt),
            End::Whole if together.cuts.is_empty() => {
                forking.prove(together);
                break;
            }
            End::Whole if together.cuts.contains(&Reason::Depth) => depth *= 2,
            End::Whole => break,
        }
    }
    let steps = forking.steps;
    answer.steps += steps;
}

impl Forking<'_, '_> {
    /// All scripts of one depth.
    fn scripts(&mut self, depth: u32) -> Together {
        let mut together = Together::default();
        let mut scripts = VecDeque::from([Vec::new()]);
        while let Some(script) = scripts.pop_front() {
            if self.is_done() {
                return together;
            }
            scripts.extend(self.script(depth, script, &mut together));
            if together.cuts.contains(&Reason::Budget) {
                return together;
            }
            if !self.sites.is_superset(&together.hurt) {
                return Together { end: End::Hurt, ..together };
            }
        }
        Together { end: End::Whole, ..together }
    }

    fn is_done(&self) -> bool {
        let is_known = |id: &(FuncId, ObligationId)| self.known.iter().any(|k| k.at_any_call() == *id);
        self.executions >= MOST_FORKED_EXECUTIONS
            || self.hard >= MOST_FORKED_HARD
            || self.steps >= MOST_FORKED_STEPS * self.options.most_steps
            || self.means.work == 0
            || self.options.open.iter().all(is_known)
    }

    /// One execution. The scripts of the sides that it missed.
    fn script(&mut self, depth: u32, script: Vec<bool>, together: &mut Together) -> Vec<Vec<bool>> {
        let from = script.len();
        let fork = Fork { sites: self.sites.clone(), script, taken: Vec::new() };
        let plan = Plan { depth, fork: Some(fork), ..Plan::default() };
        let mut exec = Exec::new(self.program, self.options, plan);
        exec.execute(self.entry);
        self.executions += 1;
        self.steps += exec.budget.steps;
        let taken = exec.eval.plan.fork.take().map(|fork| fork.taken).unwrap_or_default();
        let missed: Vec<TermId> = taken.iter().skip(from).map(|(_, missed)| *missed).collect();
        let (verdicts, possible) = ask_forked(&mut exec, self.known, self.means, &missed);
        let told = verdicts.violated.iter().chain(&verdicts.refuted);
        self.known.extend(told.map(|found| found.subject));
        self.answer.violated.extend(verdicts.violated);
        self.answer.refuted.extend(verdicts.refuted);
        self.answer.unanswered += verdicts.unanswered;
        if verdicts.unanswered > 0 {
            self.hard += verdicts.unanswered;
            together.hurt.extend(exec.merge_costs.sites());
        }
        together.cuts.extend(verdicts.cuts);
        together.borrowed.extend(verdicts.borrowed);
        together.held = Some(match together.held.take() {
            Some(before) => before.intersection(&verdicts.held).copied().collect(),
            None => verdicts.held,
        });
        let sides: Vec<bool> = taken.iter().map(|(side, _)| *side).collect();
        let others = (from..).zip(possible).filter(|(_, is_possible)| *is_possible);
        others.map(|(at, _)| sides[..at].iter().copied().chain([!sides[at]]).collect()).collect()
    }

    fn prove(&mut self, together: Together) {
        let is_violated = |id: &(FuncId, ObligationId)| self.known.iter().any(|k| k.at_any_call() == *id);
        let held = together.held.into_iter().flatten();
        self.answer.proved = held.filter(|id| !is_violated(id)).collect();
        self.answer.borrowed = together.borrowed;
        self.answer.cut.clear();
    }
}
