// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contracts (paper 001, sections 4 and 5): what functions ask of the code around them.
//!
//! - `source`, `linear`, `contract`: the language of conditions over parameters, globals and what they lead to.
//! - `state`, `eval`, `control`, `effects`, `walk`, `clauses`, `infer`: conditions from the obligations of a program, hoisted to the
//!   entries of functions and up the call graph.
//! - `written`, `read`, `file`: conditions as people write them, and the file that keeps them.
//!
//! It knows the IR and no engine.

mod clauses;
pub mod contract;
mod control;
mod effects;
mod eval;
pub mod file;
pub mod in_c;
pub mod infer;
pub mod linear;
pub mod read;
pub mod sample;
pub mod source;
mod state;
mod walk;
pub mod written;
