// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program under judgement: where it is, how it is called, what it says.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clew_native::{Child, Outcome, Status};

/// The status of `clew run` when it stopped at a finding.
pub const FINDING: i32 = 99;
/// The status of `clew run` when clew itself gave up.
pub const OWN_ERROR: i32 = 98;

/// Which clew to judge. It is built only when a command really needs it.
pub struct Choice {
    given: Option<PathBuf>,
    found: OnceCell<PathBuf>,
}

impl Choice {
    /// The given program, or this tree's release build.
    pub fn new(given: Option<PathBuf>) -> Self {
        Choice { given, found: OnceCell::new() }
    }

    /// The program; the first call may build it.
    pub fn program(&self) -> Result<Clew> {
        if let Some(program) = self.found.get() {
            return Ok(Clew { program: program.clone() });
        }
        let program = match &self.given {
            Some(program) => std::path::absolute(program)?,
            None => build_release()?,
        };
        if !program.exists() {
            bail!("there is no program {}", program.display());
        }
        let program = self.found.get_or_init(|| program);
        Ok(Clew { program: program.clone() })
    }
}

/// The root of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// The folder of build products.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn build_release() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "clew"])
        .current_dir(root())
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("clew does not build");
    }
    Ok(target_folder().join("release/clew"))
}

/// A clew to judge.
#[derive(Clone, Debug)]
pub struct Clew {
    program: PathBuf,
}

impl Clew {
    /// Its file.
    pub fn path(&self) -> &Path {
        &self.program
    }

    /// A child that runs it with this subcommand, uncoloured.
    pub fn child(&self, subcommand: &str, time: Duration) -> Child {
        Child::new(&self.program).arg(subcommand).env("NO_COLOR", "1").time(time)
    }
}

/// One finding as the text report shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The check's id.
    pub check: String,
    /// The file as shown.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Shown as an error: undefined behaviour that stops a run. The others are listed at the end of a run.
    pub stops: bool,
}

/// The findings in a text report, in order: a head line with `[check]`, then `--> file:line:column`.
pub fn findings(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut head = None;
    for line in text.lines() {
        if let Some((id, stops)) = head_check(line) {
            head = Some((id.to_owned(), stops));
        } else if let Some(place) = line.trim_start().strip_prefix("--> ")
            && let (Some((check, stops)), Some((file, line))) = (head.take(), file_and_line(place))
        {
            findings.push(Finding { check, file: file.to_owned(), line, stops });
        }
    }
    findings
}

/// The id in `error[id]: ...` or `warning[id]: ...`, and whether it is an error.
fn head_check(line: &str) -> Option<(&str, bool)> {
    let error = line.strip_prefix("error[");
    let rest = error.or_else(|| line.strip_prefix("warning["))?;
    rest.split_once(']').map(|(id, _)| (id, error.is_some()))
}

fn file_and_line(place: &str) -> Option<(&str, u32)> {
    let (rest, _column) = place.trim_end().rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// Whether this is a crash of clew itself: a signal, or a panic's message.
pub fn crashed(outcome: &Outcome) -> Option<String> {
    let text = outcome.stderr_text();
    if let Some(line) = text.lines().find(|line| line.contains("panicked at")) {
        let after = text.lines().skip_while(|l| *l != line).nth(1).unwrap_or_default();
        return Some(format!("{} {after}", line.trim()));
    }
    match outcome.status {
        Status::Signalled(signal) => Some(format!("signal {signal}")),
        _ => None,
    }
}

/// The first line of a text that says something, shortened, for a table.
pub fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_findings_from_a_text_report() {
        let text =
            "error[signed-overflow]: 2147483647 + 1 does not fit int\n  --> dir/a.c:12:7\n   |\n12 | x\n";
        let expected =
            Finding { check: "signed-overflow".into(), file: "dir/a.c".into(), line: 12, stops: true };
        assert_eq!(findings(text), [expected]);
    }

    #[test]
    fn a_place_without_a_head_is_no_finding() {
        assert_eq!(findings("note: here\n  --> a.c:1:2\n"), []);
    }
}
