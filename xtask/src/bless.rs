// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accepts the present output of all snapshot tests, which git then shows as a difference to review.

use std::process::Command;

use anyhow::{Context, Result};

use crate::clew::root;

/// Runs the tests with every snapshot accepted.
pub fn run() -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["test", "--workspace", "--no-fail-fast"])
        .env("INSTA_UPDATE", "always")
        .env("CLEW_BLESS", "1")
        .current_dir(root())
        .status()
        .context("cannot run cargo")?;
    Ok(status.success())
}
