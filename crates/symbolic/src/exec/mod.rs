// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bounded model checking of a program: which obligations some run violates, with the inputs of such a run.
//!
//! A program is walked from `main`, every function call inlined, every loop unrolled, all paths at once: where paths
//! meet their states are merged (paper 001, section 3; Clarke, Kroening, Lerda, "A tool for checking ANSI-C
//! programs", 2004). Obligations become questions to a solver, and a model of one is the inputs of a run. The depth to
//! which loops and recursions are followed grows until nothing is left out, or the budget is used up; a bound of ours
//! proves nothing. What is not followed is cut and counted. An obligation is proved only by a walk in which no run
//! was cut.
//!
//! Loops that no depth exhausts are followed again by induction over their turns (`induct`, `changes`, `heads`).
//!
//! - `walk`: blocks in order, states merged; `fork`: or not, where that hurts; `state`, `path`, `value`: what a state is
//! - `object`, `bytes`, `access`, `bulk`, `unwritten`, `leak`: memory
//! - `eval`, `pointer`, `prune`, `raise`, `condition`: expressions and obligations; `statement`, `call`, `summary`, `start`: the rest
//! - `came`: texts from outside
//! - `slice`: walks that leave out what has nothing to do with some obligations
//! - `engine`: what a walk notes down; `query`, `opinion`: what that says

mod access;
mod bulk;
mod bytes;
mod call;
mod came;
mod changes;
mod condition;
mod engine;
mod eval;
mod fork;
mod given;
mod heads;
mod induct;
mod leak;
mod object;
mod opinion;
mod out_parameters;
mod path;
mod pointer;
mod prune;
mod query;
mod raise;
mod slice;
mod start;
mod state;
mod statement;
mod summary;
mod unwritten;
mod value;
mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_base::stack::with_large_stack;
use clew_ir::head::Heads;
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program, Semantics};
use clew_ir::witness::Witness;

pub use engine::Reason;
use engine::{EventKind, Exec};
use opinion::Means;
use query::{Subject, ask, ask_violated};

use crate::outside::{Ask, Log, Outside};

/// What is asked, and what it may cost.
#[derive(Clone)]
pub struct Options<'a> {
    /// The functions whose code is a model of the library.
    pub models: &'a BTreeSet<FuncId>,
    /// The obligations that are asked about.
    pub open: &'a BTreeSet<(FuncId, ObligationId)>,
    /// The obligations that are known to hold.
    pub proved: &'a BTreeSet<(FuncId, ObligationId)>,
    /// Whether a violation of a check ends the run.
    pub stops: &'a (dyn Fn(CheckKind, Semantics) -> bool + Sync),
    /// Whether the interpreter has an answer of its own for a function without a body, of this name: what the function
    /// returns is then not said by a witness.
    pub is_answered: fn(&str) -> bool,
    /// Whether no run shows that a check is violated: it is proved or stays open.
    pub is_silent: fn(CheckKind) -> bool,
    /// Runs the inputs of violations, which are the same for all of them, and says which happen. Without it only those
    /// are told that the walk followed exactly.
    pub judge: Option<Judge<'a>>,
    /// What is known of loop heads: with it, and what it says, loops of any length are proved by induction. It need only
    /// hold of runs that have violated nothing yet that ends them.
    pub heads: Option<&'a Heads>,
    /// Whether paths are followed one by one where merging them proves too hard.
    pub forks: bool,
    /// Whether a call that comes again with the same arguments and the same memory is walked once for all.
    pub summaries: bool,
    /// Whether groups of obligations are walked for first, over what has nothing to do with them.
    pub slices: bool,
    /// Whether numbers at loop heads are as wide as what is known of them.
    pub narrows: bool,
    /// Whether pointers lose the cases that no run has behind a check.
    pub prunes: bool,
    /// Whether proofs may take what was never written to be some value that stays what it is.
    pub unwritten_stays: bool,
    /// Whether allocations may be taken to succeed in proofs too.
    pub malloc_succeeds: bool,
    /// Statements of one walk.
    pub most_steps: u64,
    /// Terms of one walk.
    pub most_terms: usize,
    /// Gates of all questions of one walk.
    pub most_gates: usize,
    /// Conflicts of one question to the solver.
    pub conflicts: u32,
    /// Gates of all questions of all walks, each counted as often as it is asked about; as many again for inductions.
    pub most_work: u64,
    /// The greatest depth.
    pub most_depth: u32,
    /// Ends the work soon after it is set.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// A solver outside: for what is too hard for ours, and as a second opinion on what proofs rest on.
    pub outside: Option<Ask<'a>>,
}

/// Says which of the violations of one run happen.
pub type Judge<'a> = &'a (dyn Fn(&[Found]) -> Vec<bool> + Sync);

/// An obligation that a run violates.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The function of the obligation.
    pub function: FuncId,
    /// The obligation.
    pub obligation: ObligationId,
    /// The program's call, if the obligation is a model's.
    pub call: Option<Location>,
    /// The inputs of the run.
    pub witness: Witness,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Obligations that a run violates, with such a run, which the judge has confirmed if there is one.
    pub violated: Vec<Found>,
    /// What the walk says is violated and the judge does not confirm: a fault of ours.
    pub refuted: Vec<Found>,
    /// Obligations that no run violates, given that those before them hold.
    pub proved: Vec<(FuncId, ObligationId)>,
    /// Those of them for which only the solver outside vouches.
    pub borrowed: BTreeSet<(FuncId, ObligationId)>,
    /// What came of asking it.
    pub outside: Log,
    /// The depth to which everything was followed.
    pub depth: u32,
    /// Statements walked in all.
    pub steps: u64,
    /// What slices proved.
    pub sliced: usize,
    /// Parts that they stepped over.
    pub stepped_over: u64,
    /// Why runs of the last walk were not followed, or not exactly.
    pub cut: Vec<Reason>,
    /// Functions without a body that runs of the last walk came to.
    pub missing: Vec<FuncId>,
    /// Questions that the solver did not answer.
    pub unanswered: u64,
    /// What it took.
    pub costs: Costs,
}

/// What walks and questions took, in numbers that are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// Walks.
    pub walks: u64,
    /// Terms of all walks.
    pub terms: u64,
    /// Questions to the solver.
    pub questions: u64,
    /// Variables that CaDiCaL was given.
    pub variables: u64,
    /// Clauses that it was given.
    pub clauses: u64,
    /// Cases that pointers lost.
    pub pruned: u64,
    /// Values of its that do not satisfy what was asked: faults of ours.
    pub wrong_models: u64,
}

/// How many turns of a loop are followed for an induction.
const MOST_TURNS: u32 = 3;

/// Walks a program, joined with its models, from a function without parameters or from `main`.
pub fn find(program: &Program, entry: FuncId, options: &Options<'_>) -> Answer {
    // Calls of the program are calls of ours.
    let work = || deepen(program, entry, options);
    // Without a thread nothing is found out, and the answer says so.
    with_large_stack(work).unwrap_or_else(|_| Answer { cut: vec![Reason::Budget], ..Answer::default() })
}

/// Walks slices first, then the whole for what they leave.
fn deepen(program: &Program, entry: FuncId, options: &Options<'_>) -> Answer {
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

/// Walks the whole program to growing depth, then path by path and by induction.
fn whole(
    program: &Program,
    entry: FuncId,
    options: &Options<'_>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    let mut known: BTreeSet<Subject> = BTreeSet::new();
    let mut depth = 1;
    let is_decided =
        |known: &BTreeSet<Subject>| options.open.iter().all(|id| known.iter().any(|k| (k.0, k.1) == *id));
    let mut sites = BTreeSet::new();
    while depth <= options.most_depth {
        let mut exec = Exec::new(program, options, depth);
        exec.walk(entry);
        answer.steps += exec.steps;
        let verdicts = ask(&mut exec, &known, means);
        let told = verdicts.violated.iter().chain(&verdicts.refuted);
        known.extend(told.map(|found| (found.function, found.obligation, found.call)));
        answer.violated.extend(verdicts.violated);
        answer.refuted.extend(verdicts.refuted);
        answer.unanswered += verdicts.unanswered;
        answer.missing = exec.missing.iter().copied().collect();
        answer.depth = depth;
        answer.cut = verdicts.cuts.iter().copied().collect();
        if verdicts.cuts.is_empty() {
            let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| (k.0, k.1) == *id);
            answer.proved = verdicts.held.into_iter().filter(|id| !is_violated(id)).collect();
            answer.borrowed = verdicts.borrowed;
        }
        // Only violations count of a walk that chooses what was never written.
        let mut is_deep = verdicts.cuts.contains(&Reason::Depth);
        if verdicts.cuts.contains(&Reason::Unwritten) && verdicts.unanswered == 0 && !is_decided(&known) {
            let mut exec = Exec::new(program, options, depth);
            exec.chooses = true;
            exec.walk(entry);
            exec.list_unwritten();
            answer.steps += exec.steps;
            is_deep |= exec.events.iter().any(|event| matches!(event.kind, EventKind::Cut(Reason::Depth)));
            let violated = ask_violated(&mut exec, &known, means);
            known.extend(violated.iter().map(|found| (found.function, found.obligation, found.call)));
            answer.violated.extend(violated);
        }
        if options.unwritten_stays && verdicts.cuts.contains(&Reason::Unwritten) {
            let mut exec = Exec::new(program, options, depth);
            exec.stays = true;
            exec.walk(entry);
            answer.steps += exec.steps;
            let stayed = query::prove(&mut exec, &known, means);
            is_deep |= stayed.cuts.contains(&Reason::Depth);
            add_proofs(answer, &stayed, &known);
        }
        // What is too hard at one depth is harder at the next, all paths at once.
        if verdicts.unanswered > 0 || verdicts.cuts.contains(&Reason::Budget) {
            sites = exec.hurt.sites();
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
        fork::fork((program, entry, options), sites, &mut known, means, answer);
    }
    if answer.cut.contains(&Reason::Depth) && options.heads.is_some() {
        means.work = options.most_work;
        induct(program, entry, options, &known, means, answer);
    }
}

/// Proves by induction over the turns of loops what no depth decides.
fn induct(
    program: &Program,
    entry: FuncId,
    options: &Options<'_>,
    known: &BTreeSet<Subject>,
    means: &mut Means<'_>,
    answer: &mut Answer,
) {
    for k in 1..=MOST_TURNS {
        let mut exec = Exec::new(program, options, 1);
        exec.induction = Some(k);
        exec.stays = options.unwritten_stays;
        exec.walk(entry);
        answer.steps += exec.steps;
        let verdicts = query::prove(&mut exec, known, means);
        add_proofs(answer, &verdicts, known);
        let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| (k.0, k.1) == *id);
        let decided = |id: &(FuncId, ObligationId)| answer.proved.contains(id) || is_violated(id);
        if options.open.iter().all(decided)
            || verdicts.unanswered > 0
            // A run that is cut in these turns is as a rule cut in more of them too.
            || !verdicts.cuts.is_empty()
        {
            break;
        }
    }
}

/// What a walk proves beside others.
fn add_proofs(answer: &mut Answer, verdicts: &query::Verdicts, known: &BTreeSet<Subject>) {
    let is_violated = |id: &(FuncId, ObligationId)| known.iter().any(|k| (k.0, k.1) == *id);
    for id in verdicts.held.iter().filter(|id| !is_violated(id)) {
        // What one walk proves by itself needs nobody else's word.
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
