// SPDX-License-Identifier: MIT OR Apache-2.0
//! What decides how an analysis goes: the assumptions of the user, and bounds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::FuncId;
use rustc_hash::FxHashSet;

/// Told how far an analysis is: statements so far, and the function it is in.
pub type Progress<'p> = &'p (dyn Fn(u64, &str) + Sync);

/// Whether something is wanted of an obligation.
pub type Wanted<'p> = &'p (dyn Fn(&crate::engine::results::Subject) -> bool + Sync);

/// Statements that a round of an analysis may take: numbers that are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// After so many the rest is analysed with the least effort: as at [`Level::QUICK`](crate::level::Level::QUICK).
    pub careful: u64,
    /// After so many the round is given up, and says nothing.
    pub most: u64,
}

/// What the contract of an entry says of its arguments, which go by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// The pointer is not null.
    NotNull(u32),
    /// The pointer is null.
    Null(u32),
    /// The number lies between two others, these included.
    Between(u32, i128, i128),
    /// `left - right <= most`.
    Difference {
        /// A number.
        left: u32,
        /// Another.
        right: u32,
        /// What they differ by at most.
        most: i128,
    },
    /// What the pointer leads to, if it is not null, has at least `scale * of + plus` bytes.
    Bytes {
        /// The pointer.
        pointer: u32,
        /// Bytes for each unit of the number.
        scale: i128,
        /// The number, if the bytes depend on one.
        of: Option<u32>,
        /// Bytes more.
        plus: i128,
    },
    /// What the pointer leads to is text with an end.
    Terminated(u32),
}

/// What decides how an analysis goes.
#[derive(Clone)]
pub struct Options<'p> {
    /// Whether a violated check ends the run; else the machine gives a value and the run goes on.
    pub stops: &'p (dyn Fn(CheckKind, clew_ir::syntax::Semantics) -> bool + Sync),
    /// Functions that stand for the library: their obligations belong to the call that the program made.
    pub models: FxHashSet<FuncId>,
    /// Those of their obligations that callers must meet; the others are the models' own.
    pub requirements: FxHashSet<(FuncId, clew_ir::syntax::ObligationId)>,
    /// Allocation never fails.
    pub malloc_succeeds: bool,
    /// Pointers that an entry's caller passes are null or point to objects of their types, each parameter to its own.
    pub parameters_valid: bool,
    /// So are pointers in what they point to: each to the start of a whole object of its type.
    pub parameters_lead_apart: bool,
    /// What callers of the entry promise, in one of these ways; no way: nothing.
    pub promises: Vec<Vec<Promise>>,
    /// A function without a body leaves globals alone.
    pub missing_functions_leave_globals: bool,
    /// A function without a body, or one that nobody knows, frees nothing.
    pub missing_functions_free_nothing: bool,
    /// Handlers of signals write nothing that is not volatile.
    pub no_asynchronous_writes: bool,
    /// The clock, if the user says how often it ticks at most.
    pub ticks: Option<crate::domain::clock::Ticks>,
    /// The domains that take part, and how much work it is worth.
    pub level: crate::engine::level::Level,
    /// Functions that are worth more.
    pub raised: Option<&'p crate::engine::level::Raised>,
    /// What an earlier analysis found to be of no use.
    pub plan: Option<&'p crate::engine::pruning_plan::Plan>,
    /// Whether to keep what holds at loop heads.
    pub invariants: bool,
    /// Whether to keep it of all of them, also of those that are come to very often.
    pub all_invariants: bool,
    /// The obligations whose slices are wanted if they are open; none costs nothing.
    pub slices: Option<Wanted<'p>>,
    /// Statements that the calls of one function may take before its contexts are given up, if not as usual.
    pub share: Option<u64>,
    /// Statements that each round may take; none: as many as it needs.
    pub limit: Option<Limit>,
    /// No later than this.
    pub deadline: Option<Instant>,
    /// Set from outside to end early.
    pub cancel: Option<&'p AtomicBool>,
    /// Called now and then with the number of statements so far and where the analysis is.
    pub progress: Option<Progress<'p>>,
}

impl Options<'_> {
    /// Whether the time is up, or somebody asked to end.
    pub(crate) fn is_over(&self) -> bool {
        let cancelled = self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        cancelled || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
