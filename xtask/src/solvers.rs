// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuits and the solver of `symbolic` against others: rustc_apfloat for floats, z3 for answers.

use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::clew::root;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// How many random operands for each float operation and format.
    #[arg(long, default_value_t = 1_000_000)]
    floats: u64,
    /// How far apart the left operands are that all halves are tried with: 1 is every pair.
    #[arg(long, default_value_t = 64)]
    half_every: u64,
    /// How many random questions for z3, if it is on the path.
    #[arg(long, default_value_t = 500)]
    queries: u64,
}

/// Runs the differential tests with that many operands and questions.
pub fn run(options: &Options) -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--release", "--package", "clew-symbolic", "--test", "floats"])
        .args(["--test", "half", "--test", "solvers"])
        .args(["--", "--nocapture"])
        .env("CLEW_FLOAT_OPS", options.floats.to_string())
        .env("CLEW_HALF_EVERY", options.half_every.to_string())
        .env("CLEW_SOLVER_QUERIES", options.queries.to_string())
        .current_dir(root())
        .status()
        .context("cannot run cargo")?;
    Ok(status.success())
}
