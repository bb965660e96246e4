// SPDX-License-Identifier: MIT OR Apache-2.0
//! Forking where merging hurts: symbolic execution of some branches on top of the merged walk.
//!
//! Merging keeps a walk small as long as the states that meet are much alike. Where they are not (lists that differ in
//! their shape), every pointer becomes a choice between all that it was, and the solver drowns. A merged walk therefore
//! notes what each branch costs where its two sides meet again (`Hurt`); when it proves too hard, the branches that
//! cost most are forked: a walk takes one side of them each time it comes by, as its *script* says, and the other side is
//! the script of another walk. All branches else are merged as ever, so a run that does not come by a forked branch is
//! in both walks, and every run is in at least one. A walk is cheap beside its questions, so it begins anew for each script.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use clew_ir::syntax::{FuncId, ObligationId, Program};
use rustc_hash::FxHashMap;

use super::engine::{Exec, Reason};
use super::opinion::Means;
use super::query::{Subject, ask_forked};
use super::state::State;
use super::{Answer, Options};
use crate::term::TermId;
use clew_ir::location::Location;

/// How many walks there are at most.
const MOST_WALKS: u32 = 1024;

/// How many statements they have together, for each that one walk may have.
const MOST_STEPS: u64 = 10;

/// How many branches are forked at most.
const MOST_SITES: usize = 6;

/// How many questions may be too hard before no more is hoped for.
const MOST_HARD: u64 = 16;

/// What a pointer costs that becomes a choice, in terms: everything that is done with it later is done that many times.
const CHOICE: u64 = 16;

/// What merging costs, by the branch whose sides meet.
#[derive(Default)]
pub(super) struct Hurt {
    /// The branch of each condition.
    branches: FxHashMap<TermId, Location>,
    costs: BTreeMap<Location, u64>,
}

impl Hurt {
    /// A branch has this condition, on either side.
    pub fn branch(&mut self, sides: [TermId; 2], at: Location) {
        self.branches.extend(sides.map(|side| (side, at)));
    }

    /// Two states met that parted at a condition: so many terms and choices were made of it.
    pub fn met(&mut self, parted: Option<TermId>, terms: usize, choices: usize) {
        let cost = terms as u64 + CHOICE * choices as u64;
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
        worth.take(MOST_SITES).map(|(_, at)| at).collect()
    }
}

/// What a walk does at forked branches.
pub(super) struct Fork {
    sites: BTreeSet<Location>,
    /// The sides that it takes first.
    script: Vec<bool>,
    /// The sides that it took, each with one bit: a run comes here and takes the other one.
    pub taken: Vec<(bool, TermId)>,
}

impl Exec<'_> {
    /// The side of a branch that the walk takes, if it takes one only.
    pub fn forked(&mut self, state: &State, condition: TermId) -> Option<bool> {
        let fork = self.fork.as_ref()?;
        if !fork.sites.contains(&self.at) || state.path.decides(&mut self.terms, condition).is_some() {
            return None;
        }
        // What comes first leaves loops, so that the shortest runs do.
        let side = fork.script.get(fork.taken.len()).copied().unwrap_or(false);
        let other = if side { self.terms.not(condition) } else { condition };
        let guard = state.guard(&mut self.terms);
        let missed = self.terms.and(guard, other);
        self.fork.as_mut()?.taken.push((side, missed));
        Some(side)
    }
}

/// What all walks share.
struct Forking<'a, 'o> {
    program: &'a Program,
    entry: FuncId,
    options: &'a Options<'a>,
    sites: BTreeSet<Location>,
    known: &'a mut BTreeSet<Subject>,
    means: &'a mut Means<'o>,
    answer: &'a mut Answer,
    walks: u32,
    /// Questions that were too hard.
    hard: u64,
    steps: u64,
}

/// Why there are no more walks of one depth.
#[derive(Default)]
enum End {
    /// All there is to spend is spent, or all is known.
    #[default]
    Spent,
    /// A walk was too hard that could be forked more.
    Hurt,
    /// All scripts were followed.
    Whole,
}

/// What the walks of one depth say together.
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

/// Walks script by script, from a depth on. Violations are added to the answer, and proofs if every run was followed.
pub(super) fn fork(
    (program, entry, options): (&Program, FuncId, &Options<'_>),
    sites: BTreeSet<Location>,
    known: &mut BTreeSet<Subject>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    let mut depth = answer.depth;
    let mut forking =
        Forking { program, entry, options, sites, known, means, answer, walks: 0, hard: 0, steps: 0 };
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
        let is_known = |id: &(FuncId, ObligationId)| self.known.iter().any(|k| (k.0, k.1) == *id);
        self.walks >= MOST_WALKS
            || self.hard >= MOST_HARD
            || self.steps >= MOST_STEPS * self.options.most_steps
            || self.means.work == 0
            || self.options.open.iter().all(is_known)
    }

    /// One walk. The scripts of the sides that it missed.
    fn script(&mut self, depth: u32, script: Vec<bool>, together: &mut Together) -> Vec<Vec<bool>> {
        let from = script.len();
        let mut exec = Exec::new(self.program, self.options, depth);
        exec.fork = Some(Fork { sites: self.sites.clone(), script, taken: Vec::new() });
        exec.walk(self.entry);
        self.walks += 1;
        self.steps += exec.steps;
        let taken = exec.fork.take().map(|fork| fork.taken).unwrap_or_default();
        let missed: Vec<TermId> = taken.iter().skip(from).map(|(_, missed)| *missed).collect();
        let (verdicts, possible) = ask_forked(&mut exec, self.known, self.means, &missed);
        let told = verdicts.violated.iter().chain(&verdicts.refuted);
        self.known.extend(told.map(|found| (found.function, found.obligation, found.call)));
        self.answer.violated.extend(verdicts.violated);
        self.answer.refuted.extend(verdicts.refuted);
        self.answer.unanswered += verdicts.unanswered;
        if verdicts.unanswered > 0 {
            self.hard += verdicts.unanswered;
            together.hurt.extend(exec.hurt.sites());
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
        let is_violated = |id: &(FuncId, ObligationId)| self.known.iter().any(|k| (k.0, k.1) == *id);
        let held = together.held.into_iter().flatten();
        self.answer.proved = held.filter(|id| !is_violated(id)).collect();
        self.answer.borrowed = together.borrowed;
        self.answer.cut.clear();
    }
}
