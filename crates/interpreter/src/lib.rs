// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpreter of the IR: the referee that runs a program as the compiler's code would, and stops where C says
//! nothing.

pub mod closed;
mod code;
mod compile;
mod effort;
mod eval;
mod exec;
pub mod host;
pub mod libc;
pub mod machine;
pub mod memory;
pub mod native;
pub mod observe;
pub mod outcome;
mod policy;
pub mod probe;
mod services;
mod trace;
pub mod value;

pub use closed::run_witness;
pub use exec::{Session, run, run_observed};
pub use outcome::{Options, Outcome};
