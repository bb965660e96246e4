// SPDX-License-Identifier: MIT OR Apache-2.0
//! One symbolic execution of a program at one depth, in three steps of which each knows only the ones before it:
//!
//! - [`Encoder`](encoder::Encoder) builds terms: values, pointers, memory.
//! - [`Evaluator`](evaluator::Evaluator) executes expressions and statements and notes what it sees.
//! - [`Exec`] follows runs: calls, blocks, loops, merges.

pub(crate) mod budget;
pub(crate) mod encoder;
pub(crate) mod evaluator;
pub(crate) mod facts;
pub(crate) mod objects;
pub(crate) mod plan;
pub(crate) mod slice;
pub(crate) mod summaries;

use clew_base::index::Idx;
use clew_ir::location::Location;
use clew_ir::syntax::{BlockId, FuncId, Program};

use crate::exec::record::Record;
use crate::exec::request::Options;
use crate::term::Terms;
use budget::Budget;
use encoder::Encoder;
use evaluator::{Evaluator, Position};
use facts::ProgramFacts;
use objects::Objects;
use plan::{MergeCosts, Plan};
use summaries::Summaries;

/// An execution.
pub(crate) struct Exec<'p> {
    /// What expressions and statements do.
    pub eval: Evaluator<'p>,
    /// What calls did that came twice.
    pub summaries: Summaries,
    /// What merging costs.
    pub merge_costs: MergeCosts,
    /// What it may cost in all.
    pub budget: Budget,
}

impl<'p> Exec<'p> {
    /// An execution that has not begun.
    pub fn new(program: &'p Program, options: &'p Options<'p>, plan: Plan) -> Exec<'p> {
        let entry = Location { function: FuncId::new(0), block: BlockId::new(0), statement: 0 };
        let encoder = Encoder {
            facts: ProgramFacts::new(program, options),
            terms: Terms::new(),
            objects: Objects::new(),
        };
        let position = Position { calls: Vec::new(), at: entry, trusting: 0 };
        Exec {
            eval: Evaluator { encoder, plan, position, record: Record::default() },
            summaries: Summaries::default(),
            merge_costs: MergeCosts::default(),
            budget: Budget::new(options),
        }
    }

    /// Whether it may go on.
    pub fn has_budget(&self) -> bool {
        self.budget.is_left(self.eval.encoder.terms.len())
    }
}
