// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an analysis has spent, and what it may still spend.

use clew_ir::syntax::{BlockId, FuncId};
use rustc_hash::FxHashMap;

use crate::engine::loops::{Nested, Splitting, Unrolled, unroll_budget};
use crate::engine::options::Options;

/// What has been spent.
pub(crate) struct Budget {
    /// Statements that were executed.
    pub(crate) steps: u64,
    /// Whether the analysis ends: the time is up, or results cannot be trusted.
    pub(crate) cancelled: bool,
    /// Whether what is left is analysed with the least effort.
    pub(crate) is_spent: bool,
    /// How inputs are split into cases, in a round that does so.
    pub(crate) splitting: Option<Splitting>,
    /// Statements that unrolled iterations of loops may still take.
    pub(crate) unroll_budget: u64,
    /// Statements spent on unrolling each loop.
    pub(crate) unrolled: FxHashMap<(FuncId, BlockId), Unrolled>,
    /// The searches for invariants that are going on.
    pub(crate) nested: Nested,
    /// How many outermost ones there have been.
    pub(crate) searches: u64,
}

impl Budget {
    /// For a program of so many statements.
    pub(crate) fn new(options: &Options<'_>, statements: u64) -> Budget {
        Budget {
            steps: 0,
            cancelled: false,
            is_spent: false,
            splitting: None,
            unroll_budget: options.highest().effort.unrolled(unroll_budget(statements)),
            unrolled: FxHashMap::default(),
            nested: Nested::default(),
            searches: 0,
        }
    }

    /// Counts a statement and looks at the clock now and then; `place` says where the analysis is. False: stop.
    pub(crate) fn step<'a>(&mut self, options: &Options<'_>, place: impl FnOnce() -> &'a str) -> bool {
        self.steps += 1;
        self.cancelled |= self.splitting.is_some_and(|splitting| self.steps > splitting.steps);
        if let Some(limit) = options.limit {
            self.is_spent |= self.steps > limit.careful;
            self.cancelled |= self.steps > limit.most;
        }
        if self.steps.is_multiple_of(512) {
            self.cancelled |= options.is_over();
            if self.steps.is_multiple_of(65536)
                && let Some(progress) = options.progress
            {
                progress(self.steps, place());
            }
        }
        !self.cancelled
    }
}
