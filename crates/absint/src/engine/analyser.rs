// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analysis of one entry, in three steps of which each knows only the ones before it:
//!
//! - [`Evaluator`] looks at states: expressions, conditions, what is noted of them (`transfer`).
//! - [`Transfer`] changes them: tests, assignments, memory (`transfer`).
//! - [`Analyser`] follows runs: calls, loops, recursion, what need not be analysed again (`fixpoint`).
//!
//! A method belongs to the first of them that has what it needs, and to a part of that one (`Facts`, `CallContext`,
//! `Recorder`, `Budget`) where it needs no more.
//!
//! [`Evaluator`]: crate::engine::evaluator::Evaluator

use clew_ir::syntax::Program;

use crate::engine::evaluator::Evaluator;
use crate::engine::memo::Memo;
use crate::engine::options::Options;
use crate::engine::transfer::Transfer;
use crate::program::callbacks::Callbacks;

/// The analysis of one entry.
pub struct Analyser<'p> {
    /// What statements do.
    pub(crate) transfer: Transfer<'p>,
    /// What was computed before.
    pub(crate) memo: Memo,
}

impl<'p> Analyser<'p> {
    /// A new analysis of a program.
    pub fn new(program: &'p Program, options: &'p Options<'p>, callbacks: Callbacks) -> Analyser<'p> {
        let eval = Evaluator::new(program, options, callbacks);
        let transfer = Transfer { eval, tuples: Default::default(), havocked: None };
        Analyser { transfer, memo: Memo::default() }
    }
}
