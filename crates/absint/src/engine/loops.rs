// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much work loops are worth, and what was spent on them: the pace of widening, unrolling, nested searches, case splits.

use clew_ir::syntax::BlockId;
use rustc_hash::FxHashMap;

use crate::effort::loops::{UNROLL_BUDGET, UNROLL_PER_STATEMENT};

/// How much work a loop is worth.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Pace {
    /// Whether iterations are told apart as long as that is cheap.
    pub(crate) unrolls: bool,
    /// Rounds that are joined before they are widened.
    pub(crate) joined: u32,
    /// Rounds that are joined later on because something has come to rest: the fairness of paper 004, 7.1.3.
    pub(crate) delayed: u32,
    /// After so many widened rounds every bound that still moves goes to infinity at once.
    pub(crate) thresholds: u32,
    /// Rounds of narrowing.
    pub(crate) narrowed: u32,
    /// How often the invariant of a loop is sought from scratch in one search around it (`nested`).
    pub(crate) searches: u32,
}

impl Pace {
    pub(crate) const CAREFUL: Pace =
        Pace { unrolls: true, joined: 3, delayed: 6, thresholds: 60, narrowed: 2, searches: 100 };
    /// The same with more patience.
    pub(crate) const PATIENT: Pace =
        Pace { unrolls: true, joined: 5, delayed: 20, thresholds: 60, narrowed: 3, searches: 100 };
    /// For functions that have had their share (`context_insensitive`).
    pub(crate) const HURRIED: Pace =
        Pace { unrolls: false, joined: 1, delayed: 0, thresholds: 3, narrowed: 1, searches: 4 };
}

/// Statements spent on unrolling a loop.
#[derive(Default)]
pub(crate) struct Unrolled {
    /// In all.
    pub(crate) all: u64,
    /// Without coming to its end.
    pub(crate) in_vain: u64,
}

/// Statements that unrolled iterations may take in the analysis of a program.
pub(crate) fn unroll_budget(statements: u64) -> u64 {
    UNROLL_BUDGET + UNROLL_PER_STATEMENT * statements
}

/// The searches that are going on in the running function, one in the other.
#[derive(Default)]
pub(crate) struct Nested {
    pub(crate) depth: u32,
    /// The number of the outermost one.
    pub(crate) number: u64,
    /// How often the invariant of each loop was sought in it.
    pub(crate) sought: FxHashMap<BlockId, u32>,
    /// Whether the next one goes on from an earlier one.
    pub(crate) goes_on: bool,
}

/// How inputs are cut.
#[derive(Clone, Copy)]
pub(crate) struct Splitting {
    pub(crate) cases: u32,
    /// Statements that may be executed.
    pub(crate) steps: u64,
}
