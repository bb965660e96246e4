// SPDX-License-Identifier: MIT OR Apache-2.0
//! What main is given: random programs that depend on `argc`, `argv`, `envp`, `environ` and `getenv`, against compiled
//! runs on random arguments and environments.
//!
//! No run may violate what was claimed to hold, argc == 0 included. What clew calls violated must be confirmed, and its
//! witness, given to the compiled program by the driver and not by clew, must fail at that line.

mod generator;
mod vectors;

use std::path::Path;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;

use crate::clew::{Choice, Clew};
use crate::referee::report::{Report, Row};
use crate::referee::runs::{Inputs, Runner, Violation, witnessed};
use crate::referee::{self, Judged};

/// Random inputs of a program.
const RUNS: usize = 40;
/// Of so many programs one has its violations shown by clew to the compiled program too, which takes longer.
const REPLAYED: u64 = 16;
/// Checks of which the sanitizers see every violation that these programs can have.
const SEEN: [&str; 6] =
    ["assertion", "division-by-zero", "signed-overflow", "shift-out-of-range", "null-deref", "out-of-bounds"];

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    common: referee::Options,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let (clew, runner) = (choice.program()?, Runner::new()?);
    referee::judge_all("arguments", &options.common, generator::program, |seed, file| {
        judge(&clew, &runner, seed, file)
    })
}

fn judge(clew: &Clew, runner: &Runner, seed: u64, file: &Path) -> Result<Judged> {
    let kept = file.with_extension("out");
    let kept = kept.to_string_lossy();
    let flags: &[&str] = if seed.is_multiple_of(REPLAYED) { &["--keep", &kept] } else { &["--no-replay"] };
    let report = Report::of(clew, file, flags)?;
    let mut judged = Judged::default();
    judged.exceptions.extend(report.own_fault.clone());
    let mut rng = Rng::with_seed(seed);
    let mut inputs: Vec<Inputs> = (0..RUNS).map(|_| vectors::inputs(&mut rng)).collect();
    let violated: Vec<&Row> = report.rows.iter().filter(|row| row.is_violated()).collect();
    let mut shown = Vec::new();
    for row in &violated {
        if row.confirmed.is_none() {
            judged.exceptions.push(format!("{row}, not confirmed"));
        }
        let Some(witness) = witnessed(&row.witness)? else { continue };
        if witness.is_impossible() {
            judged.exceptions.push(format!("{row}, with a zero byte inside a text: {witness}"));
        } else {
            shown.push((*row, inputs.len()));
            inputs.push(witness);
        }
    }
    let runs = runner.runs(file, &inputs)?;
    for run in &runs {
        if let Some(how) = report.contradicts(run, |_| true) {
            judged.exceptions.push(format!("{how}, with {}", run.inputs));
            break;
        }
    }
    for (row, index) in shown.into_iter().filter(|(row, _)| SEEN.contains(&row.check.as_str())) {
        let run = &runs[index];
        let goes_on = |at: &&Violation| {
            at.line != row.line && at.checks.iter().any(|check| row.goes_on_after.contains(check))
        };
        let first = run.violations().find(|at| !goes_on(at));
        if !first.is_some_and(|at| at.line == row.line && at.checks.contains(&row.check)) {
            let did = first.map_or_else(|| run.end.clone(), |at| format!("line {}: {}", at.line, at.message));
            judged.exceptions.push(format!("{row}, but its witness {} does: {did}", run.inputs));
        }
    }
    judged.count("obligations", report.rows.len());
    judged.count("claims", report.rows.iter().filter(|row| row.is_claim()).count());
    judged.count("violated", violated.len());
    judged.count("runs", runs.len());
    judged.count("failing runs", runs.iter().filter(|run| run.violations().next().is_some()).count());
    if judged.exceptions.is_empty() && seed.is_multiple_of(REPLAYED) && Path::new(kept.as_ref()).exists() {
        std::fs::remove_dir_all(kept.as_ref())?;
    }
    Ok(judged)
}
