// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paths of an execution: blocks in order, states merged where they meet, and what is done about loops and calls.
//!
//! - `blocks`: the blocks of one function; `fork`: branches of which one side is taken
//! - `induction`, `changes`, `loop_facts`: loops of any number of iterations
//! - `summary`: calls that come again; `step_over`: what a slice leaves out

pub(crate) mod blocks;
pub(crate) mod changes;
pub(crate) mod fork;
pub(crate) mod induction;
pub(crate) mod loop_facts;
pub(crate) mod step_over;
pub(crate) mod summary;
