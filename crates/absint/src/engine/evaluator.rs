// SPDX-License-Identifier: MIT OR Apache-2.0
//! What expressions are in a state, and what is noted of it: everything that looks at states and changes none.

use clew_ir::syntax::{FuncId, Program};

use crate::engine::budget::Budget;
use crate::engine::context::CallContext;
use crate::engine::facts::{Facts, Frame};
use crate::engine::options::Options;
use crate::engine::recorder::Recorder;
use crate::program::callbacks::Callbacks;

/// Evaluates in states, and keeps the books.
pub struct Evaluator<'p> {
    /// What is known of the program.
    pub(crate) facts: Facts<'p>,
    /// The calls that are running.
    pub(crate) context: CallContext,
    /// What was found out.
    pub(crate) recorder: Recorder,
    /// What was spent.
    pub(crate) budget: Budget,
}

impl<'p> Evaluator<'p> {
    /// For a program of which nothing has been analysed.
    pub(crate) fn new(program: &'p Program, options: &'p Options<'p>, callbacks: Callbacks) -> Evaluator<'p> {
        let facts = Facts::new(program, options, &callbacks);
        let budget = Budget::new(options, facts.statements);
        let value_log = options.slices.map(|_| Default::default());
        let recorder = Recorder { value_log, callbacks, ..Recorder::default() };
        Evaluator { facts, context: CallContext::default(), recorder, budget }
    }

    /// The frame of a call, if the function has a body.
    pub(crate) fn frame(&mut self, function: FuncId, result_used: bool) -> Option<Frame<'p>> {
        let frame = self.facts.frame(function, result_used)?;
        self.recorder.useful.entry(function).or_default();
        Some(frame)
    }

    /// Counts a statement. False: stop.
    pub(crate) fn step(&mut self) -> bool {
        let (program, running) = (self.facts.program, self.context.stack.last());
        let place = || running.map_or("", |f| &*program.functions[*f].source_name);
        self.budget.step(self.facts.options, place)
    }
}
