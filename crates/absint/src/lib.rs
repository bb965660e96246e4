// SPDX-License-Identifier: MIT OR Apache-2.0
//! Abstract interpretation (papers 004 and 001, section 3): proofs by computing with sets of values instead of values.
//!
//! [`analyse`] runs a program from one entry on everything its inputs may be. What it says of an obligation covers
//! every run; what it cannot say stays open. The folders, each of which knows only those above it:
//!
//! - `program`: what is known of a program before it is analysed.
//! - `domain`: the lattices, and what joins, widenings and inclusions do to them.
//! - `memory`: objects and what stands in them.
//! - `state`: all that is known at one point of a run, as one product.
//! - `engine`: what an analysis carries along: options, effort, results, summaries.
//! - `transfer`: what expressions, tests, statements and calls do to a state.
//! - `fixpoint`: loops, recursion, calls that need not be analysed again.
//! - `explain`: slices, values and invariants in words.
//! - `conclude`: the rounds of an analysis, and findings. Its `rounds.rs` is the place to begin reading.
//!
//! Every bound on effort stands in `effort.rs`. `cargo xtask imports` draws the arrows and fails if one points back.

mod conclude;
pub mod domain;
mod effort;
mod engine;
mod explain;
mod fixpoint;
pub mod map;
mod memory;
mod program;
mod state;
mod transfer;

pub use conclude::rounds::{Analysis, analyse};
pub use domain::clock;
pub use engine::finding::{Finding, Outcome, UnreachedCalls};
pub use engine::options::{Limit, Options, Promise};
pub use engine::results::Subject;
pub use engine::{level, pruning_plan};
pub use explain::invariant;
pub use explain::render_invariants::Shown;
pub use explain::slice::{Slice, Step, Stop};
pub use program::call_graph::{around, may_reach};
pub use program::object::Site;
