// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a proof rests on must be all there: a verdict that rests on nothing (`given` is empty) must survive the mending
//! of any violation elsewhere in the program.
//!
//! Clew cuts the states in which an operation fails, and lists that operation in `given` of what it proves without them.
//! Where it forgets to, the mended program has these states again and the claim breaks: clew then finds a violation
//! of it, or a compiled run does.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;

use crate::clew::{Choice, Clew};
use crate::referee::faulty::{self, Fault, Program};
use crate::referee::report::{Report, Row};
use crate::referee::runs::{Inputs, Runner, witnessed};
use crate::referee::{self, Judged};

/// Random inputs of a program.
const RUNS: usize = 30;
/// Violations that are mended, each alone; then all of them together.
const MENDED: usize = 2;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    common: referee::Options,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let (clew, runner) = (choice.program()?, Runner::new()?);
    let text = |seed| Program::of(seed).text(&[]);
    referee::judge_all("mended", &options.common, text, |seed, file| judge(&clew, &runner, seed, file))
}

fn judge(clew: &Clew, runner: &Runner, seed: u64, file: &Path) -> Result<Judged> {
    let program = Program::of(seed);
    let mut rng = Rng::with_seed(seed);
    let inputs: Vec<Inputs> = (0..RUNS).map(|_| faulty::inputs(&mut rng)).collect();
    let mut judged = Judged::default();
    let first = Report::of(clew, file, &["--no-replay"])?;
    judged.exceptions.extend(first.own_fault.clone());
    let violated = |fault: &&Fault| first.rows.iter().any(|row| row.is_violated() && row.line == fault.line);
    let mut faults: Vec<&Fault> = program.faults.iter().filter(violated).collect();
    judged.count("violations", faults.len());
    judged.count("claims", first.rows.iter().filter(|row| row.is_claim()).count());
    rng.shuffle(&mut faults);
    let mut sets: Vec<Vec<&Fault>> = faults.iter().take(MENDED).map(|fault| vec![*fault]).collect();
    if faults.len() > 1 {
        sets.push(faults);
    }
    let runs = runner.runs(file, &inputs)?;
    if let Some((run, how)) = runs.iter().find_map(|run| Some((run, first.contradicts(run, is_asked)?))) {
        judged.exceptions.push(format!("{how}, with {}", run.inputs));
    }
    for (number, set) in sets.iter().enumerate() {
        let lines: Vec<u32> = set.iter().flat_map(|fault| [fault.line, fault.mended_line]).collect();
        let mended_file = file.with_extension(format!("mended{number}.c"));
        std::fs::write(&mended_file, program.text(set))?;
        let before = judged.exceptions.len();
        let after = Report::of(clew, &mended_file, &["--no-replay"])?;
        judged.exceptions.extend(after.own_fault.clone());
        let mut inputs = inputs.clone();
        for row in after.rows.iter().filter(|row| row.is_violated()) {
            inputs.extend(witnessed(&row.witness)?);
        }
        if let Some(row) = broken(&first, &after, &lines) {
            judged.exceptions.push(format!("{row} in {}, but was claimed before", mended_file.display()));
        }
        let elsewhere = unconditional(&first, &lines);
        let runs = runner.runs(&mended_file, &inputs)?;
        judged.count("mended programs", 1);
        judged.count("runs", runs.len());
        for run in &runs {
            if let Some(how) =
                elsewhere.contradicts(run, is_asked).or_else(|| after.contradicts(run, is_asked))
            {
                judged.exceptions.push(format!("{how} in {}, with {}", mended_file.display(), run.inputs));
                break;
            }
        }
        if judged.exceptions.len() == before {
            std::fs::remove_file(&mended_file)?;
        }
    }
    Ok(judged)
}

/// What a report claims without a condition, and not of these lines; the rest is open.
fn unconditional(report: &Report, mended: &[u32]) -> Report {
    let mut rows = report.rows.clone();
    for row in rows.iter_mut().filter(|row| !row.is_claim() || mended.contains(&row.line)) {
        row.verdict = "open".into();
    }
    Report { rows, rests_on: Vec::new(), unreached: Vec::new(), own_fault: None }
}

/// These are off by default.
fn is_asked(check: &str) -> bool {
    !matches!(check, "lossy-conversion" | "unsigned-wrap")
}

/// An obligation that is violated now and was claimed to hold whatever else fails. Several obligations of a check may
/// stand at one place: all must have been claimed.
fn broken<'r>(first: &Report, after: &'r Report, mended: &[u32]) -> Option<&'r Row> {
    let mut claimed: BTreeMap<(u32, u32, &str), bool> = BTreeMap::new();
    for row in first.rows.iter().filter(|row| !mended.contains(&row.line)) {
        *claimed.entry((row.line, row.column, &row.check)).or_insert(true) &= row.is_claim();
    }
    let is_claimed = |row: &Row| claimed.get(&(row.line, row.column, row.check.as_str())).copied();
    after.rows.iter().find(|row| row.is_violated() && is_claimed(row) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(rows: &[(u32, &str, &str, &[&str])]) -> Report {
        let row = |(line, check, verdict, given): &(u32, &str, &str, &[&str])| serde_json::json!({"id": "", "check": check, "line": line, "column": 3, "verdict": verdict, "given": given});
        let rows = rows.iter().map(|fields| Row::read(&row(fields), &serde_json::Value::Null)).collect();
        Report { rows, rests_on: Vec::new(), unreached: Vec::new(), own_fault: None }
    }

    #[test]
    fn only_claims_without_a_condition_are_broken_and_only_elsewhere() {
        let first = report(&[
            (3, "assertion", "proved", &[]),
            (4, "assertion", "proved", &["x"]),
            (5, "assertion", "proved", &[]),
            (5, "assertion", "open", &[]),
        ]);
        let after = |line| report(&[(line, "assertion", "violated", &[])]);
        assert!(broken(&first, &after(3), &[]).is_some());
        assert!(broken(&first, &after(3), &[3]).is_none());
        assert!(broken(&first, &after(4), &[]).is_none());
        assert!(broken(&first, &after(5), &[]).is_none());
        let verdicts: Vec<String> =
            unconditional(&first, &[3]).rows.into_iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, ["open", "open", "proved", "open"]);
    }
}
