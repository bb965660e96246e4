// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpreter of the IR: the referee that runs a program as the compiler's code would, and stops where C says
//! nothing.

mod code;
mod compile;
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
mod services;
mod trace;
pub mod value;

pub use exec::{run, run_observed};
pub use outcome::{Options, Outcome};
