// SPDX-License-Identifier: MIT OR Apache-2.0
//! One file a command.

pub mod assumptions;
pub mod check;
pub mod clean;
pub mod completions;
pub mod config;
pub mod contracts;
pub mod explain;
pub mod fixed;
pub mod ir;
pub mod precision;
pub mod refine;
pub mod replay;
pub mod run;
pub mod solvers;

use crate::exit::Exit;
use crate::terminal::complain;

/// Says why the input or the flags are wrong.
fn fail(message: &str) -> Exit {
    complain(message);
    Exit::BadInput
}
