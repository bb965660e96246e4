// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bounded model checking of a program: which obligations some run violates, with the inputs of such a run.
//!
//! A program is executed symbolically from `main`, every function call inlined, every loop unrolled, all paths at once:
//! where paths meet their states are merged (paper 001, section 3; Clarke, Kroening, Lerda, "A tool for checking ANSI-C
//! programs", 2004). Obligations become queries to a solver, and a model of one is the inputs of a run. The depth to
//! which loops and recursions are followed grows until nothing is left out, or the budget is used up; a bound of ours
//! proves nothing. What is not followed is cut and counted. An obligation is proved only by an execution in which no run
//! was cut.
//!
//! The folders in their order, each of which knows only those before it:
//!
//! - `request`: what is asked and answered
//! - `state`: what a run knows at one place: values, memory, its path
//! - `record`: what an execution notes down: events, inputs
//! - `context`: an execution ([`Exec`](context::Exec)) and its parts
//! - `transfer`: what expressions, conditions, statements and calls do to a state
//! - `explore`: the order of blocks, loops, merged and forked branches, summaries of calls, induction
//! - `query`: what the notes say, by the word of a solver
//! - `slice`: executions that leave out what has nothing to do with some obligations
//! - `forking`, `deepen`: executions one after the other, until everything is decided

mod context;
mod deepen;
mod explore;
mod forking;
mod query;
mod record;
mod request;
mod slice;
mod state;
mod transfer;

use clew_base::stack::with_large_stack;
use clew_ir::syntax::{FuncId, Program};

pub use record::event::Reason;
pub use request::{Answer, Costs, Found, Judge, Options};

/// Executes a program, joined with its models, from a function without parameters or from `main`.
pub fn find(program: &Program, entry: FuncId, options: &Options<'_>) -> Answer {
    // What stands outside of functions and is not understood, runs before all that is followed.
    if !program.unsupported.is_empty() {
        return Answer { cut: vec![Reason::Operation], ..Answer::default() };
    }
    // Calls of the program are calls of ours.
    let work = || deepen::deepen(program, entry, options);
    // Without a thread nothing is found out, and the answer says so.
    with_large_stack(work).unwrap_or_else(|_| Answer { cut: vec![Reason::Budget], ..Answer::default() })
}
