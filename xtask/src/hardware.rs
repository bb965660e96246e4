// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arithmetic of `base` against this machine's processor.

use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::clew::root;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// How many random operations.
    #[arg(long, default_value_t = 10_000_000)]
    operations: u64,
}

/// Runs the differential tests with that many operations.
pub fn run(options: &Options) -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--release", "--package", "clew-base", "--test", "hardware"])
        .env("CLEW_HARDWARE_OPS", options.operations.to_string())
        .current_dir(root())
        .status()
        .context("cannot run cargo")?;
    Ok(status.success())
}
