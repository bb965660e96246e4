// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system compiler as a tool: build, run under limits, read sanitizer reports.
//!
//! clew's word against the compiler's is worth something only if the compiler's side is run the same way every
//! time: [`Compiler`] builds C sources, [`Child`] runs a program with limits and captures everything it says,
//! and [`sanitizer::read_reports`] turns the prose of AddressSanitizer and UBSan into values that can be compared.
//!
//! Solvers of the system are run the same way ([`smt`]).
//!
//! What this crate must not know: the IR, rucc, any check. It is about processes and text.

mod child;
mod compiler;
mod denied;
mod denied_32;
pub mod launch;
pub mod sanitizer;
pub mod smt;

pub use child::{Child, Limits, Outcome, Sandbox, Status, end_children};
pub use compiler::{BuildError, Compiler, Executable};
