// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--check` chooses what is shown and never what is true.
//!
//! A random program with faults of several checks is analysed with all checks and with random subsets. A compiled run
//! that goes on after what was not selected, with the machine's value, must not violate what is claimed of the selected
//! checks; what is violated with all checks is not claimed with a few; what a verdict rests on is in the report; and
//! nothing that a run reaches is called unreachable.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;

use crate::clew::{Choice, Clew};
use crate::referee::faulty::{self, Program};
use crate::referee::report::Report;
use crate::referee::runs::{Inputs, Run, Runner, witnessed};
use crate::referee::{self, Judged};

/// Random inputs of a program.
const RUNS: usize = 30;
/// Subsets of the checks that a program is analysed with.
const SUBSETS: usize = 3;
/// Checks that the programs have faults of.
const CHECKS: [&str; 10] = [
    "assertion",
    "signed-overflow",
    "shift-out-of-range",
    "division-by-zero",
    "out-of-bounds",
    "null-deref",
    "uninitialised-read",
    "lossy-conversion",
    "unsigned-wrap",
    "float-to-int",
];

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
    referee::judge_all("selection", &options.common, text, |seed, file| judge(&clew, &runner, seed, file))
}

/// A choice of checks.
struct Subset {
    /// All but these, or only these.
    all: bool,
    named: Vec<&'static str>,
}

impl Subset {
    fn random(rng: &mut Rng) -> Subset {
        let mut checks = CHECKS;
        rng.shuffle(&mut checks);
        Subset { all: rng.u8(..4) == 0, named: checks[..rng.usize(1..5)].to_vec() }
    }

    /// As the command line says it.
    fn flag(&self) -> String {
        let sign = if self.all { "-" } else { "" };
        let named = self.named.iter().map(|check| format!("{sign}{check}"));
        let words: Vec<String> = self.all.then(|| "all".to_owned()).into_iter().chain(named).collect();
        words.join(",")
    }

    fn contains(&self, check: &str) -> bool {
        self.named.contains(&check) != self.all
    }
}

fn judge(clew: &Clew, runner: &Runner, seed: u64, file: &Path) -> Result<Judged> {
    let mut rng = Rng::with_seed(seed);
    let mut subsets = vec![Subset { all: true, named: Vec::new() }];
    subsets.extend((0..SUBSETS).map(|_| Subset::random(&mut rng)));
    let mut inputs: Vec<Inputs> = (0..RUNS).map(|_| faulty::inputs(&mut rng)).collect();
    let mut reports = Vec::new();
    for subset in &subsets {
        let report = Report::of(clew, file, &["--no-replay", "--check", &subset.flag()])?;
        for row in report.rows.iter().filter(|row| row.is_violated()) {
            inputs.extend(witnessed(&row.witness)?);
        }
        reports.push(report);
    }
    let runs = runner.runs(file, &inputs)?;
    let functions = Program::of(seed).functions();
    let mut judged = Judged::default();
    for (subset, report) in subsets.iter().zip(&reports) {
        let wrong = exceptions(subset, report, &reports[0], &runs, &functions);
        let told = wrong.into_iter().map(|what| format!("--check {}: {what}", subset.flag()));
        judged.exceptions.extend(told);
        judged.count("analyses", 1);
        judged.count("claims", report.rows.iter().filter(|row| row.is_claim()).count());
        judged.count("violated", report.rows.iter().filter(|row| row.is_violated()).count());
        judged.count("given others", report.rows.iter().filter(|row| !row.given.is_empty()).count());
    }
    judged.count("runs", runs.len());
    judged.count("violations of runs", runs.iter().map(|run| run.violations().count()).sum());
    Ok(judged)
}

/// What is wrong with the report of a subset; `all` is the one of all checks.
fn exceptions(
    subset: &Subset,
    report: &Report,
    all: &Report,
    runs: &[Run],
    functions: &[(String, Range<u32>)],
) -> Vec<String> {
    let mut wrong: Vec<String> = report.own_fault.iter().cloned().collect();
    if let Some((run, how)) =
        runs.iter().find_map(|run| Some((run, report.contradicts(run, |check| subset.contains(check))?)))
    {
        wrong.push(format!("{how}, with {}", run.inputs));
    }
    let listed = report.rows.iter().chain(&report.rests_on);
    let ids: BTreeSet<&str> = listed.clone().map(|row| row.id.as_str()).collect();
    let missing = |id: &&String| !ids.contains(id.as_str());
    if let Some((row, id)) = listed.clone().find_map(|row| Some((row, row.given.iter().find(missing)?))) {
        wrong.push(format!("{row} rests on {id}, which is not in the report"));
    }
    let violated: BTreeSet<&str> =
        all.rows.iter().filter(|row| row.is_violated()).map(|row| row.id.as_str()).collect();
    if let Some(row) = listed.clone().find(|row| row.is_claim() && violated.contains(row.id.as_str())) {
        wrong.push(format!("{row}, but violated with all checks"));
    }
    for (name, lines) in functions.iter().filter(|(name, _)| report.unreached.contains(name)) {
        if let Some(run) = runs.iter().find(|run| run.reached().any(|at| lines.contains(&at))) {
            wrong.push(format!("`{name}` is said to be not reached, but is with {}", run.inputs));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_is_what_its_flag_says() {
        let some = Subset { all: false, named: vec!["assertion", "null-deref"] };
        assert_eq!(some.flag(), "assertion,null-deref");
        assert!(some.contains("assertion") && !some.contains("out-of-bounds"));
        let others = Subset { all: true, named: vec!["assertion"] };
        assert_eq!(others.flag(), "all,-assertion");
        assert!(!others.contains("assertion") && others.contains("out-of-bounds"));
        assert_eq!(Subset { all: true, named: Vec::new() }.flag(), "all");
    }
}
