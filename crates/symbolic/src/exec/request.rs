// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a symbolic execution is asked, and what it answers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_ir::head::Heads;
use clew_ir::location::ObligationRef;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Semantics};
use clew_ir::witness::Witness;

use crate::exec::record::event::Reason;
use crate::solver::external::{Ask, Log};

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
    /// are told that the execution followed exactly.
    pub judge: Option<Judge<'a>>,
    /// What is known of loop heads: with it, and what it says, loops of any length are proved by induction. It need only
    /// hold of runs that have violated nothing yet that ends them.
    pub heads: Option<&'a Heads>,
    /// Whether paths are followed one by one where merging them proves too hard.
    pub forks: bool,
    /// Whether a call that comes again with the same arguments and the same memory is executed once for all.
    pub summaries: bool,
    /// Whether groups of obligations are executed for first, over what has nothing to do with them.
    pub slices: bool,
    /// Whether numbers at loop heads are as wide as what is known of them.
    pub narrows: bool,
    /// Whether pointers lose the cases that no run has behind a check.
    pub prunes: bool,
    /// Whether proofs may take what was never written to be some value that stays what it is.
    pub unwritten_stays: bool,
    /// Whether allocations may be taken to succeed in proofs too.
    pub malloc_succeeds: bool,
    /// Statements of one execution.
    pub most_steps: u64,
    /// Terms of one execution.
    pub most_terms: usize,
    /// Gates of all queries of one execution.
    pub most_gates: usize,
    /// Conflicts of one query to the solver.
    pub conflicts: u32,
    /// Gates of all queries of all executions, each counted as often as it is asked about; as many again for inductions.
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
    /// The obligation, of a model with the program's call.
    pub subject: ObligationRef,
    /// The inputs of the run.
    pub witness: Witness,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Obligations that a run violates, with such a run, which the judge has confirmed if there is one.
    pub violated: Vec<Found>,
    /// What the execution says is violated and the judge does not confirm: a fault of ours.
    pub refuted: Vec<Found>,
    /// Obligations that no run violates, given that those before them hold.
    pub proved: Vec<(FuncId, ObligationId)>,
    /// Those of them for which only the solver outside vouches.
    pub borrowed: BTreeSet<(FuncId, ObligationId)>,
    /// What came of asking it.
    pub outside: Log,
    /// The depth to which everything was followed.
    pub depth: u32,
    /// Statements executed in all.
    pub steps: u64,
    /// What slices proved.
    pub sliced: usize,
    /// Parts that they stepped over.
    pub stepped_over: u64,
    /// Why runs of the last execution were not followed, or not exactly.
    pub cut: Vec<Reason>,
    /// Functions without a body that runs of the last execution came to.
    pub missing: Vec<FuncId>,
    /// Queries that the solver did not answer.
    pub unanswered: u64,
    /// What it took.
    pub costs: Costs,
}

/// What executions and queries took, in numbers that are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// Executions.
    pub executions: u64,
    /// Terms of all executions.
    pub terms: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Variables that CaDiCaL was given.
    pub variables: u64,
    /// Clauses that it was given.
    pub clauses: u64,
    /// Cases that pointers lost.
    pub pruned: u64,
    /// Values of its that do not satisfy what was asked: faults of ours.
    pub wrong_models: u64,
}
